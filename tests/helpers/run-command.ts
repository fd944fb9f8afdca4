import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  /** The whole environment of the process but for PATH, which is the tester's unless it is given. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
}

/** The built files: `npm run build` makes them, `npm test` does so first. */
export const distDir = fileURLToPath(new URL("../../dist", import.meta.url));

/** Runs a process to its end. Resolves with its exit code and output, whatever they are. */
export function runCommand(
  file: string,
  args: readonly string[],
  { env, cwd, stdin }: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env: { PATH: process.env["PATH"], ...env } });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    // A process may end without reading its input.
    child.stdin.on("error", () => {});
    child.stdin.end(stdin ?? "");
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Runs `catstack` as it is built. */
export function runCatstack(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return runCommand(process.execPath, [`${distDir}/catstack.mjs`, ...args], options);
}
