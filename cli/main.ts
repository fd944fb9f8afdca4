#!/usr/bin/env node
import { version } from "../lib/version.ts";
import { errorCode, isSystemError } from "../lib/io/error-code.ts";
import { describeError, findUnknownOption, isParseArgsError } from "./describe-error.ts";
import { Failure, UsageError } from "./failure.ts";
import { formatHelp, formatVerbHelp } from "./help.ts";
import type { CliIo } from "./io.ts";
import { suggestNearest } from "../lib/nearest.ts";
import { verbs, type Verb } from "./verbs.ts";

/** 0 fine, 1 findings or a failed check, 2 wrong usage; `watch` adds those of sysexits. */
export async function main(args: readonly string[], io: CliIo): Promise<number> {
  const [name, ...rest] = args;
  switch (name) {
    case undefined:
      io.err(formatHelp(verbs, version));
      return 2;
    case "help":
      return rest.length === 0 ? showHelp(io) : runVerb(rest[0] ?? "", ["--help"], io);
    case "--help":
    case "-h":
      return showHelp(io);
    case "version":
    case "--version":
    case "-V":
      io.out(`catstack ${version}`);
      return 0;
    default:
      return runVerb(name, rest, io);
  }
}

function showHelp(io: CliIo): number {
  io.out(formatHelp(verbs, version));
  return 0;
}

async function runVerb(name: string, args: readonly string[], io: CliIo): Promise<number> {
  const verb = verbs.find((candidate) => candidate.name === name);
  if (verb === undefined) {
    const names = verbs.map((candidate) => candidate.name);
    const hint = suggestNearest(name, names, (near) => `\`${near}\``);
    io.err(`catstack: expected a verb, got \`${name}\`${hint}\n\n${formatHelp(verbs, version)}`);
    return 2;
  }
  if (asksForHelp(args)) {
    io.out(formatVerbHelp(verb));
    return 0;
  }
  try {
    const run = await verb.load();
    return await run(args, io);
  } catch (error) {
    const message = `catstack ${verb.name}: ${describeError(error)}${suggestOption(error, verb)}`;
    if (isUsageError(error)) {
      io.err(`${message}\n\n${formatVerbHelp(verb)}`);
      return 2;
    }
    io.err(isExpected(error) || !(error instanceof Error) ? message : `${message}\n${error.stack ?? ""}`);
    return 1;
  }
}

/** By the options that its usage names. */
function suggestOption(error: unknown, verb: Verb): string {
  const known = formatVerbHelp(verb).match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [];
  const typed = findUnknownOption(error);
  return typed === undefined ? "" : suggestNearest(typed, [...new Set(known)]);
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === "--help" || arg === "-h");
}

/** Ours, or one of node:util's `parseArgs`. */
function isUsageError(error: unknown): boolean {
  return error instanceof UsageError || isParseArgsError(error);
}

/** Ours, or the system's (no such file, disk full): the message tells enough. */
function isExpected(error: unknown): boolean {
  return error instanceof Failure || isSystemError(error);
}

function getProcessIo(): CliIo {
  return {
    env: process.env,
    // Opened only by a verb that reads it.
    get stdin() {
      return process.stdin;
    },
    now: () => new Date(),
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    color: process.stdout.isTTY && !process.env["NO_COLOR"],
    cwd: process.cwd(),
    exit: (code) => process.exit(code),
  };
}

// A reader that goes away early, such as `head` (EPIPE) or a terminal (EIO), ends the printing and is no error. What cannot
// be printed otherwise, such as into a file on a full disk, ends no watcher.
process.stdout.on("error", (error) => {
  if (["EPIPE", "EIO"].includes(errorCode(error) ?? "")) return;
  process.stderr.write(`catstack: expected to print all of it, got ${String(error)}\n`);
  process.once("exit", () => void (process.exitCode ||= 1));
});
process.exitCode = await main(process.argv.slice(2), getProcessIo());
