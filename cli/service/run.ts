import { spawnSync } from "node:child_process";
import type { Env } from "../../lib/io/paths.ts";
import { errorCode } from "../../lib/io/error-code.ts";
import { quoteForShell } from "../../lib/quote-for-shell.ts";
import type { Argv } from "./service.ts";

/** systemd itself waits 90 s for a service to be ready. */
const LIMIT_MS = 120_000;

/** Runs a command to its end; what went wrong, or undefined when nothing did. */
export function runToEnd([program, ...args]: Argv, env: Env): string | undefined {
  const { error, status, signal, stderr } = spawnSync(program, args, {
    env,
    timeout: LIMIT_MS,
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  if (errorCode(error) === "ENOENT") return `there is no ${program} here`;
  if (error !== undefined) return error.message;
  if (status === 0) return undefined;
  const said = stderr.trim();
  return `${status === null ? `ended by ${signal}` : `exit code ${status}`}${said === "" ? "" : `: ${said}`}`;
}

/** A command as a person would type it. */
export function formatArgv(argv: Argv): string {
  return argv.map(quoteForShell).join(" ");
}
