import { spawn } from "node:child_process";
import type { TestContext } from "node:test";

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface ProgramOptions {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

const LIMIT_MS = 120_000;

/** Runs a program in a process group of its own, stdin empty, to its end, which is after two minutes at the latest. */
export function runProgram(
  t: TestContext,
  [file = "", ...args]: readonly string[],
  { cwd, env }: ProgramOptions,
): Promise<Ran> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const end = (): void => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, "SIGKILL");
    };
    const timer = setTimeout(end, LIMIT_MS);
    t.after(end);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr, ms: performance.now() - startedAt });
    });
  });
}
