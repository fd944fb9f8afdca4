import { createInterface } from "node:readline";
import { findChecks } from "../lib/commands/find-checks.ts";
import { getLineVerdict } from "../lib/commands/get-verdicts.ts";
import { parseResult } from "../lib/transcript/claude-result.ts";
import { parseCodexOutput } from "../lib/transcript/codex-output.ts";
import type { CommandOutput } from "../lib/transcript/entry.ts";
import { isRow, parseRow, type Row } from "../lib/transcript/row.ts";
import { UsageError } from "./failure.ts";
import type { CliIo } from "./io.ts";

const misspelledKeys = [
  ["exit_code", "exitCode"],
  ["is_error", "isError"],
] as const;

/** One command and its result, as `catstack classify` reads it. */
interface Question {
  readonly id: string | number;
  readonly command: string;
  readonly cwd: string;
  readonly output: CommandOutput;
}

/**
 * `catstack classify`: reads JSON lines `{id, command, output, isError, exitCode, agent?, cwd?}` and prints for each
 * `{id, verifier, target, verdict}`, or `{id: null, error}` for a line that is none. Exit code 1 when there was such a line.
 */
export async function classify(args: readonly string[], io: CliIo): Promise<number> {
  if (args.length > 0)
    throw new UsageError(`expected no arguments, got ${args.join(" ")}; the questions come on stdin`);
  let [asked, broken] = [0, 0];
  for await (const line of createInterface({ input: io.stdin, crlfDelay: Infinity })) {
    if (line.trim() === "") continue;
    asked++;
    const question = parseQuestion(line);
    if (typeof question === "string") broken++;
    io.out(JSON.stringify(typeof question === "string" ? { id: null, error: question } : answer(question)));
  }
  if (asked === 0) io.err("note: no question came on stdin, expected JSON lines; see: catstack classify --help");
  return broken === 0 ? 0 : 1;
}

function answer({ id, command, cwd, output }: Question): object {
  const checks = findChecks(command, cwd);
  const keys = [...new Set(checks.map((check) => check.target.key))];
  const target = keys.length > 1 ? keys : (keys[0] ?? null);
  return { id, verifier: checks.length > 0, target, verdict: getLineVerdict(checks, output) };
}

/** The question a line holds, or what is wrong with it. */
function parseQuestion(line: string): Question | string {
  const row = parseRow(line);
  if (row === undefined) return `expected a JSON object, got ${line.slice(0, 80)}`;
  const { id, command, cwd } = { id: row["id"], command: row["command"], cwd: row["cwd"] };
  if (typeof id !== "string" && typeof id !== "number")
    return `expected an id, a string or a number, got ${JSON.stringify(id)}`;
  if (typeof command !== "string") return `expected a command, a string, in ${id}, got ${JSON.stringify(command)}`;
  const misspelled = findMisspelledKey(row);
  if (misspelled !== undefined) return `expected ${misspelled[1]} in ${id}, got ${misspelled[0]}; rename the key`;
  return { id, command, cwd: typeof cwd === "string" ? cwd : "", output: readOutput(row) };
}

/** A result that is not looked at would make a failed run pass. */
function findMisspelledKey(row: Row): readonly [got: string, expected: string] | undefined {
  return misspelledKeys.find(([got]) => got in row);
}

function readOutput(row: Row): CommandOutput {
  const text = typeof row["output"] === "string" ? row["output"] : "";
  const given: CommandOutput = {
    text,
    ...(typeof row["isError"] === "boolean" ? { isError: row["isError"] } : {}),
    ...(typeof row["exitCode"] === "number" ? { exitCode: row["exitCode"] } : {}),
  };
  if (row["agent"] === "claude") return { ...given, ...readClaude(text, row["isError"]) };
  if (row["agent"] !== "codex") return given;
  const { running, ...output } = parseCodexOutput(text);
  return { ...given, ...output, ...(running && given.exitCode === undefined ? { interrupted: true } : {}) };
}

/** As the transcript adapter reads a result; one that went to the background did not end here. */
function readClaude(text: string, isError: unknown): CommandOutput {
  const [result] = parseResult({ tool_use_id: "classify", content: text, is_error: isError }, undefined, {
    sidechain: false,
  });
  if (result === undefined || !isRow(result.output)) return { text };
  return result.taskId === undefined ? result.output : { ...result.output, interrupted: true };
}
