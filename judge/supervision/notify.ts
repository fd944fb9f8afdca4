import { spawn } from "node:child_process";
import type { Env } from "../../lib/io/paths.ts";
import type { EventBus, JudgeEvent } from "../events.ts";
import type { Complaints } from "../health/complaints.ts";
import { requireSpareFiles } from "../runners/no-room.ts";

/** Tells a service manager that waits for it (systemd, `Type=notify`) how the watcher is. */
export interface Notifier {
  /** Resolves when all is told, or after 2 s. */
  close(): Promise<void>;
}

export interface NotifierOptions {
  /** Of it `NOTIFY_SOCKET`, `WATCHDOG_USEC`, `WATCHDOG_PID` and the PATH are read. */
  readonly env: Env;
  /** The watcher's own. */
  readonly pid: number;
  readonly bus: EventBus;
  readonly complaints: Complaints;
  /** Whether the inbox was looked at lately; else the manager is not told that the watcher lives. */
  readonly isFresh: () => boolean;
}

/** It waits up to 5 s until the manager has read what it sent. */
const SEND_TIMEOUT_MS = 10_000;
const CLOSE_MS = 2000;
const MIN_PING_MS = 1000;

/**
 * Node cannot write to the manager's socket (a datagram socket in the file system or the abstract name space), so
 * `systemd-notify` does, one message after the other. It waits until the manager has read the message and so knows which unit sent
 * it; `--no-block` would not. Without `NOTIFY_SOCKET` nothing is done.
 */
export function startNotifier(options: NotifierOptions): Notifier {
  const { env, bus, isFresh } = options;
  if (!env["NOTIFY_SOCKET"]) return { close: () => Promise.resolve() };
  let ping: NodeJS.Timeout | undefined;
  let pending = 0;
  let sent = Promise.resolve();
  const closing = new AbortController();

  function send(message: readonly string[]): void {
    pending += 1;
    sent = sent.then(() => tell(message, closing.signal, options)).finally(() => (pending -= 1));
  }

  const intervalMs = getPingMs(env, options.pid);
  const unsubscribe = bus.subscribe((event) => {
    for (const message of toMessages(event, process.hrtime.bigint())) send(message);
    if (event.event === "watcher:stopping") clearInterval(ping);
    if (event.event !== "watcher:ready" || intervalMs === undefined) return;
    ping = setInterval(() => {
      if (pending === 0 && isFresh()) send(["WATCHDOG=1"]);
    }, intervalMs).unref();
  });

  return {
    async close() {
      clearInterval(ping);
      unsubscribe();
      const timer = setTimeout(() => closing.abort(), CLOSE_MS);
      await sent;
      clearTimeout(timer);
    },
  };
}

/** The manager expects a sign of life this often: three in its time. Undefined: none, or another process is to give it. */
export function getPingMs(env: Env, pid: number): number | undefined {
  const { WATCHDOG_USEC: limit = "", WATCHDOG_PID: expected } = env;
  if (!/^[1-9]\d{0,15}$/.test(limit) || (expected && expected !== String(pid))) return undefined;
  return Math.max(MIN_PING_MS, Math.floor(Number(limit) / 3000));
}

/** What of an event the manager is told, see sd_notify(3). `monotonic`: nanoseconds of the clock that never stands still. */
export function toMessages(event: JudgeEvent, monotonic: bigint): readonly (readonly string[])[] {
  if (event.event === "watcher:ready") {
    return [["READY=1", toStatus(`watching ${event.inbox}, ${event.concurrency} at a time`)]];
  }
  if (event.event === "watcher:reloaded") {
    return [["RELOADING=1", `MONOTONIC_USEC=${monotonic / 1000n}`], ["READY=1"]];
  }
  return event.event === "watcher:stopping" ? [["STOPPING=1", toStatus(`stopping: ${event.reason}`)]] : [];
}

/** A message is one line a variable. */
function toStatus(text: string): string {
  return `STATUS=${text.replaceAll(/\s+/g, " ")}`;
}

async function tell(
  message: readonly string[],
  signal: AbortSignal,
  { env, pid, complaints }: NotifierOptions,
): Promise<void> {
  if (signal.aborted) return;
  const problem = await runSystemdNotify([`--pid=${pid}`, ...message], env, signal);
  const what = "telling the service manager";
  if (problem === undefined) complaints.worked(what);
  else complaints.failed(what, `${problem}; without it the manager takes the watcher for hung`);
}

/** What went wrong, in words. Never rejects. */
function runSystemdNotify(
  args: readonly string[],
  { PATH, NOTIFY_SOCKET }: Env,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    requireSpareFiles();
  } catch (error) {
    return Promise.resolve(`expected room for systemd-notify, got ${String(error)}`);
  }
  return new Promise((resolve) => {
    const child = spawn("systemd-notify", args, {
      env: { PATH, NOTIFY_SOCKET },
      stdio: ["ignore", "ignore", "pipe"],
      // Not one signal of both: Node keeps a trace of each that is made of a lasting one.
      timeout: SEND_TIMEOUT_MS,
      killSignal: "SIGKILL",
      signal,
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said = `${said}${text}`.slice(0, 300)));
    child.once("error", (error) => resolve(`expected to run systemd-notify, got ${error.message}; install it`));
    child.once("close", (code, signal) => {
      const end = `expected systemd-notify to end with 0, got ${signal ?? String(code)}: ${said.trim()}`;
      resolve(code === 0 ? undefined : end);
    });
  });
}
