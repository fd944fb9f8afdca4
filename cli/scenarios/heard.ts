import { parseRow, isRow, type Row } from "../../lib/transcript/row.ts";
import type { Printed } from "./stage.ts";

/** What came of one payload: texts for the person and the agent, and what hooks must never print. */
export interface Heard {
  /** One text a line. */
  readonly person: readonly string[];
  /** The findings, without the heading above them. */
  readonly agent: readonly string[];
  readonly errors: readonly string[];
}

/** What the client makes of the output of a Stop hook: it shows the message; stderr is seen by nobody. */
export function hearStop({ stdout, stderr }: Printed): Heard {
  const reply = parseReply(stdout, ["systemMessage"]);
  const errors = [...splitLines(stderr).filter(isError), ...reply.errors];
  return { person: splitLines(getText(reply.row, "systemMessage")), agent: [], errors };
}

/** What the client makes of the output of a UserPromptSubmit hook. */
export function hearPrompt({ stdout, stderr }: Printed): Heard {
  const reply = parseReply(stdout, ["systemMessage", "hookSpecificOutput"]);
  const output = reply.row["hookSpecificOutput"];
  const context = getText(isRow(output) ? output : {}, "additionalContext");
  return {
    person: splitLines(getText(reply.row, "systemMessage")),
    agent: splitLines(context).flatMap((line) => (line.startsWith("- ") ? [line.slice(2)] : [])),
    errors: [...splitLines(stderr), ...reply.errors],
  };
}

/** Any other key could make the agent go on, or hold the turn up. */
function parseReply(stdout: string, known: readonly string[]): { row: Row; errors: readonly string[] } {
  if (stdout === "") return { row: {}, errors: [] };
  const row = parseRow(stdout);
  const isKnown = row !== undefined && Object.keys(row).every((key) => known.includes(key));
  const errors = isKnown ? [] : [`expected JSON with no other keys than ${known.join(", ")}, got ${stdout.trim()}`];
  return { row: row ?? {}, errors };
}

function getText(row: Row, key: string): string {
  const text = row[key];
  return typeof text === "string" ? text : "";
}

function splitLines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

function isError(line: string): boolean {
  return line.startsWith("catstack-hook-error ");
}
