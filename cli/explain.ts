import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { text as readText } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { explainCommand } from "../lib/commands/explain/explain-command.ts";
import type { CommandOutput } from "../lib/transcript/entry.ts";
import { describeState } from "./describe-error.ts";
import { formatExplanation } from "./explain/format-explanation.ts";
import { toExplanationJson } from "./explain/to-explanation-json.ts";
import { Failure, UsageError } from "./failure.ts";
import type { CliIo } from "./io.ts";

const options = {
  output: { type: "string" },
  "exit-code": { type: "string" },
  json: { type: "boolean", default: false },
} as const;

/** `catstack explain`: why a command is or is not a check, and how an output of it is read. */
export async function explain(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [given] = positionals;
  if (given === undefined) throw new UsageError("expected a command, or - for stdin, got none");
  const command = given === "-" && positionals.length === 1 ? await readText(io.stdin) : positionals.join(" ");
  const output = readOutput(values.output, values["exit-code"], io.cwd);
  const explanation = explainCommand(command, io.cwd, output);
  if (values.json) io.out(JSON.stringify(toExplanationJson(command, io.cwd, explanation)));
  else io.out(formatExplanation(explanation, io.color));
  return 0;
}

function readOutput(file: string | undefined, status: string | undefined, cwd: string): CommandOutput | undefined {
  if (file === undefined && status === undefined) return undefined;
  const text = file === undefined ? "" : readFile(resolve(cwd, file));
  if (status === undefined) return { text };
  if (!/^\d{1,3}$/.test(status) || Number(status) > 255)
    throw new UsageError(`expected --exit-code to be a number from 0 to 255, got ${status}`);
  return { text, exitCode: Number(status), isError: status !== "0" };
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Failure(`expected an output at ${path}, ${describeState(error)}`, { cause: error });
  }
}
