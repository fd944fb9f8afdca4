import { errorCode, isSystemError } from "../lib/io/error-code.ts";

/** The message of any error, in the way ours are written: what was expected, what came, what to do. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isParseArgsError(error)) return describeParseArgsError(error);
  return isSystemError(error) ? describeSystemError(error) : error.message;
}

/** One of node:util's `parseArgs`. */
export function isParseArgsError(error: unknown): boolean {
  return errorCode(error)?.startsWith("ERR_PARSE_ARGS_") === true;
}

/** The option that a verb does not have, as it was typed, where that is what is wrong. */
export function findUnknownOption(error: unknown): string | undefined {
  if (!(error instanceof Error) || errorCode(error) !== "ERR_PARSE_ARGS_UNKNOWN_OPTION") return undefined;
  return /'(--[^'=]+)/.exec(error.message)?.[1];
}

/** Node's sentence begins with what came, in single quotes. */
function describeParseArgsError(error: Error): string {
  const got = /'([^']+)'/.exec(error.message)?.[1] ?? error.message;
  const code = errorCode(error);
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION")
    return `expected one of the options below, got ${got}; leave it out or correct it`;
  if (code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL") return `expected no argument, got ${got}; leave it out`;
  return `expected options as below, got ${got}: ${error.message}`;
}

const states: Readonly<Record<string, readonly [got: string, advice: string]>> = {
  ENOENT: ["nothing", "correct the path"],
  EISDIR: ["a folder", "name a file"],
  ENOTDIR: ["a path that leads through a file", "correct the path"],
  EACCES: ["no permission", "give your account access or name another"],
  EPERM: ["no permission", "give your account access or name another"],
  EROFS: ["a read-only file system", "name another place"],
  ENOSPC: ["a full disk", "make room and try again"],
};

/** What was met instead of what was expected, and what to do: "got nothing; correct the path". */
export function describeState(error: unknown): string {
  const state = states[errorCode(error) ?? ""];
  if (state !== undefined) return `got ${state[0]}; ${state[1]}`;
  return `got an error: ${error instanceof Error ? error.message : String(error)}`;
}

function describeSystemError(error: Error): string {
  const path = "path" in error && typeof error.path === "string" ? error.path : undefined;
  const isKnown = (errorCode(error) ?? "") in states;
  return path === undefined || !isKnown ? error.message : `expected to be able to use ${path}, ${describeState(error)}`;
}
