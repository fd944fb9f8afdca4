import { spawn, type ChildProcess } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import type { Env, StatePaths } from "../../lib/io/paths.ts";
import { bundle } from "./bundle.ts";
import { stopAfter } from "./queue.ts";

const folder = mkdtempSync(join(tmpdir(), "catstack-watch-"));
const program = join(folder, "watch.mjs");
after(() => rmSync(folder, { recursive: true, force: true }));

const bundled = bundle(new URL("watch-main.ts", import.meta.url), program);

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface WatchProcess {
  readonly child: ChildProcess;
  /** Resolves when it says that it is ready. */
  readonly ready: Promise<void>;
  readonly exited: Promise<Exit>;
  readonly stdout: () => string;
  readonly stderr: () => string;
}

export interface WatchOptions {
  readonly env?: Env;
  readonly args?: readonly string[];
  /** A command that runs another one, such as `prlimit --nofile=20`. */
  readonly under?: readonly string[];
  /** What is run, where it is not to be the program that all tests share. */
  readonly program?: string;
  /** Open the file descriptor 3 too: `child.stdio[3]`. */
  readonly hasChannel?: boolean;
}

/** Copies the program, for a test that replaces it. */
export async function copyProgram(path: string): Promise<void> {
  await bundled;
  copyFileSync(program, path);
}

/** Starts `catstack watch` on a state directory; killed after the test at the latest. */
export async function startWatch(t: TestContext, paths: StatePaths, options: WatchOptions = {}): Promise<WatchProcess> {
  await bundled;
  const { env = {}, args = [], under = [], hasChannel = false } = options;
  const [file = process.execPath, ...rest] = [...under, process.execPath, options.program ?? program, ...args];
  const child = spawn(file, rest, {
    env: { HOME: paths.root, CATSTACK_LLM_JUDGE_STATE_DIR: paths.root, ...env },
    stdio: ["ignore", "pipe", "pipe", ...(hasChannel ? (["pipe"] as const) : [])],
  });
  let stdout = "";
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const exited = new Promise<Exit>((resolve) => child.once("close", (code, signal) => resolve({ code, signal })));
  const ready = new Promise<void>((resolve) => {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      if (stdout.includes("ready")) resolve();
    });
  });
  stopAfter(t, paths, async () => {
    child.kill("SIGKILL");
    await exited;
  });
  return { child, ready, exited, stdout: () => stdout, stderr: () => stderr };
}
