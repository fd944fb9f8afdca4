import { readdirSync, readFileSync } from "node:fs";

/** What Linux's /proc tells of processes. */

/** CPU time a process has used, in ms; the kernel counts in steps of 10. */
export function readCpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Memory a process holds (VmRSS), in MB of 1024 KiB. */
export function readMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/** Every process that was started with this entry (`NAME=value`) in its environment, zombies left out: they have none. */
export function findProcessesWith(entry: string): number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) && hasEntry(name, entry) ? [Number(name)] : []));
}

export function hasEntry(pid: number | string, entry: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(entry);
  } catch {
    return false;
  }
}
