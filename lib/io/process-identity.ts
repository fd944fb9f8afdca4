import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { parseRow } from "../transcript/row.ts";
import { errorCode } from "./error-code.ts";

/**
 * Names one process for good: a pid alone is reused. On Linux `startTime` is field 22 of /proc/<pid>/stat (clock ticks since
 * boot), `bootId` the kernel's, `pidNamespace` the inode of the namespace the pid belongs to. Elsewhere `startTime` comes from
 * `ps` (in English and UTC, whoever asks) and the other two are empty.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
  readonly bootId: string;
  readonly pidNamespace: string;
}

/** The process that a file of ours names; undefined for any other text. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  const { pid, startTime, bootId, pidNamespace } = parseRow(text) ?? {};
  if (typeof pid !== "number" || typeof startTime !== "string") return undefined;
  if (typeof bootId !== "string" || typeof pidNamespace !== "string") return undefined;
  return { pid, startTime, bootId, pidNamespace };
}

export type Liveness = "alive" | "dead" | "unknown";

/** The identity of a running process; undefined when there is none of that pid. */
export function readProcessIdentity(pid: number): ProcessIdentity | undefined {
  const state = readProcessState(pid);
  if (state === undefined) return undefined;
  return { pid, startTime: state.startTime, bootId: readBootId(), pidNamespace: readPidNamespace() };
}

/** This process. Throws when the system does not show it, which no supported system does. */
export function getOwnIdentity(): ProcessIdentity {
  const own = readProcessIdentity(process.pid);
  if (own === undefined) throw new Error(`expected the system to show process ${process.pid} (this one), got nothing`);
  return own;
}

/**
 * Whether the named process still runs. `unknown` when its pid belongs to another pid namespace (a container), where it cannot be
 * seen from here. A zombie is dead: it holds no files and does no work.
 */
export function probeLiveness(identity: ProcessIdentity): Liveness {
  if (identity.bootId !== readBootId()) return "dead";
  if (identity.pidNamespace !== readPidNamespace()) return "unknown";
  const state = readProcessState(identity.pid);
  if (state === undefined || state.zombie || state.startTime !== identity.startTime) return "dead";
  return "alive";
}

function readProcessState(pid: number): { startTime: string; zombie: boolean } | undefined {
  return process.platform === "linux" ? readProcStat(pid) : readPs(pid);
}

function readProcStat(pid: number): { startTime: string; zombie: boolean } | undefined {
  const stat = readTextOrEmpty(`/proc/${pid}/stat`);
  // The command name (field 2) may hold spaces and brackets: count from its last bracket.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const startTime = fields[19];
  if (stat === "" || startTime === undefined) return undefined;
  return { startTime, zombie: fields[0] === "Z" || fields[0] === "X" };
}

/** Two processes with other settings must read one start time. */
const psEnv = { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" };

/** What `ps` shows of a process, in any system; undefined when it shows nothing. */
export function readPs(pid: number): { startTime: string; zombie: boolean } | undefined {
  try {
    const line = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env: psEnv,
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
    const space = line.indexOf(" ");
    return { startTime: line.slice(space + 1).trim(), zombie: line.startsWith("Z") };
  } catch {
    return undefined;
  }
}

function readBootId(): string {
  return readTextOrEmpty("/proc/sys/kernel/random/boot_id").trim();
}

function readPidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** Throws where the system is at fault, such as for too many open files: a process that cannot be looked at is not gone. */
function readTextOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // ESRCH: it ended while this was being read.
    if (["ENOENT", "ESRCH", "ENOTDIR", "EACCES", "EPERM"].includes(errorCode(error) ?? "")) return "";
    throw error;
  }
}
