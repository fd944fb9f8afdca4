import { spawn } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import type { StatePaths } from "../../lib/io/paths.ts";
import { errorCode } from "../../lib/io/error-code.ts";
import { makeTempDir } from "./fake-clis.ts";
import { openState } from "./queue.ts";

/** A file system of its own, in memory, with a state directory on it. */
export interface SmallDisk {
  readonly paths: StatePaths;
  /** Leaves no room for a byte more. */
  fill(): void;
  makeRoom(): void;
  remount(how: "ro" | "rw"): Promise<void>;
}

/**
 * Mounts a disk of so many kilobytes where no other process sees it by its own name, but all through /proc. It goes with the test, whatever
 * happens. Undefined where this machine does not allow it.
 */
export async function mountSmallDisk(t: TestContext, kilobytes = 256): Promise<SmallDisk | undefined> {
  if (process.platform !== "linux") return undefined;
  const dir = makeTempDir(t);
  const holder = spawn("unshare", ["--user", "--map-root-user", "--mount", "sh"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = new Promise<void>((resolve) => {
    holder.once("close", () => resolve());
    holder.once("error", () => resolve());
  });
  const close = async () => {
    holder.kill("SIGKILL");
    await ended;
  };
  const answers = createInterface({ input: holder.stdout })[Symbol.asyncIterator]();
  const run = async (command: string): Promise<boolean> => {
    holder.stdin.on("error", () => {}).write(`${command} >&2 && echo done || echo failed\n`);
    return (await answers.next()).value === "done";
  };
  if (!(await run(`mount -t tmpfs -o size=${kilobytes}k,mode=700 catstack-test ${dir}`))) {
    await close();
    return undefined;
  }
  const disk = `/proc/${holder.pid}/root${dir}`;
  const paths = openState(t, join(disk, "state"), close);
  const ballast = join(disk, "ballast");
  return {
    paths,
    fill: () => fill(ballast),
    makeRoom: () => rmSync(ballast),
    async remount(how) {
      if (!(await run(`mount -o remount,${how} ${dir}`)))
        throw new Error(`expected to mount ${dir} anew, got an error`);
    },
  };
}

function fill(path: string): void {
  const fd = openSync(path, "a");
  try {
    for (const size of [4096, 1]) writeUntilFull(fd, Buffer.alloc(size));
  } finally {
    closeSync(fd);
  }
}

function writeUntilFull(fd: number, block: Buffer): void {
  try {
    for (;;) writeSync(fd, block);
  } catch (error) {
    if (errorCode(error) !== "ENOSPC") throw error;
  }
}
