import { readdir, readFile } from "node:fs/promises";

/** One row of Linux's /proc; zombies are left out: they do nothing and hold nothing. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/** Every running process that can be seen; empty where there is no /proc. */
export async function listProcesses(): Promise<readonly ProcessRow[]> {
  const names = await readdir("/proc").catch(() => []);
  const rows = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readRow));
  return rows.filter((row) => row !== undefined);
}

/** The environment a process was started with; empty when it is gone or another user's. */
export async function readEnviron(pid: number): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
  return text.split("\0");
}

async function readRow(name: string): Promise<ProcessRow | undefined> {
  const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
  // The command name may hold spaces and brackets: count from its last bracket.
  const [state, parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === undefined || state === "" || state === "Z" || state === "X") return undefined;
  return { pid: Number(name), parent: Number(parent), group: Number(group) };
}
