import type { CommandOutput } from "./entry.ts";
import { findText, isRow, parseRow, type Row } from "./row.ts";

/** A command's output in Codex's own words. */
export interface CodexOutput extends CommandOutput {
  /** The command had not ended when this was written: its end comes with a later call. */
  readonly running: boolean;
}

/**
 * Head of one piece of output: of `exec_command` and `write_stdin` (0.118 to 0.171), of the older `shell` tool (`Exit code:`),
 * and of a code-mode script. A command that takes long leaves several pieces.
 */
const HEAD =
  /^(?:Chunk ID: \S+\n)?(?:Exit code: \d+\n|Script (?:completed|failed|running with cell ID \S+)\n)?Wall time:? [^\n]*\n(?:Process (?:exited with code -?\d+|running with session ID \d+)\n)?(?:Original token count: \d+\n)?(?:Total output lines: \d+\n)?Output:\n/gm;

const EXITED = /^(?:Process exited with code|Exit code:) (-?\d+)$/m;
const RUNNING = /^(?:Process running with session ID|Script running with cell ID) /m;

/** How a script of the agent's own commonly prints the status of what it ran. */
const OWN_STATUS = /^(?:exit|Exit|EXIT)(?:[ _]?(?:code|Code|CODE))?\s*[=:]\s*(\S+)$/gm;

/** What a Codex call gave back, with Codex's own lines taken out of the text. Total: any text, no throw. */
export function parseCodexOutput(text: string): CodexOutput {
  const whole = parseRow(text);
  if (whole !== undefined) return readRecord(whole) ?? { text, running: false };
  const heads = [...text.matchAll(HEAD)];
  const bodies = heads.map((head, at) => text.slice(head.index + head[0].length, heads[at + 1]?.index));
  const before = text.slice(0, heads[0]?.index);
  return joinPieces(
    heads.map((head, at) => readPiece(head[0], bodies[at] ?? "")),
    before,
  );
}

function joinPieces(pieces: readonly CodexOutput[], before: string): CodexOutput {
  const last = pieces.at(-1);
  const text = before + pieces.map((piece) => piece.text).join("");
  const running = last?.running ?? false;
  return last?.exitCode === undefined ? { text, running } : { text, running, exitCode: last.exitCode };
}

function readPiece(head: string, body: string): CodexOutput {
  const exited = EXITED.exec(head)?.[1];
  if (exited !== undefined) return { text: body, running: false, exitCode: Number(exited) };
  if (RUNNING.test(head)) return { text: body, running: true };
  return head.startsWith("Script ") ? readScript(body) : { text: body, running: false };
}

/** A code-mode script prints what it likes: often the record of each command, one a line. */
function readScript(body: string): CodexOutput {
  const parts = splitPrinted(body).map((line) => readLine(line));
  const text = parts.map((part) => part.text).join("\n");
  const records = parts.filter((part) => part.isRecord);
  const last = records.at(-1);
  if (last !== undefined) return { ...last, text, running: records.some((record) => record.running) };
  const [status, ...more] = [...body.matchAll(OWN_STATUS)].map((match) => match[1] ?? "");
  const isOne = status !== undefined && more.length === 0 && /^\d{1,3}$/.test(status);
  return isOne ? { text, running: false, exitCode: Number(status) } : { text, running: false };
}

/** The lines, but a record that was cut, which may have lost its end in one line and go on in the next, as one. */
function splitPrinted(body: string): readonly string[] {
  const lines: string[][] = [];
  let isCut = false;
  for (const line of body.split("\n")) {
    if (isCut && !line.startsWith("{")) lines.at(-1)?.push(line);
    else {
      lines.push([line]);
      isCut = line.startsWith(CUT_START) && parseRow(line) === undefined;
    }
  }
  return lines.map((parts) => parts.join("\n"));
}

const CUT_START = '{"chunk_id":"';

function readLine(line: string): CodexOutput & { readonly isRecord: boolean } {
  const row = line.startsWith("{") ? parseRow(line) : undefined;
  const record = row === undefined ? readCutRecord(line) : readRecord(row);
  return record === undefined ? { text: line, running: false, isRecord: false } : { ...record, isRecord: true };
}

/** `{"output": ..., "exit_code": ...}` or, before 0.118, `{"output": ..., "metadata": {"exit_code": ...}}`. */
function readRecord(row: Row): CodexOutput | undefined {
  const text = findText(row["output"]);
  const source = isRow(row["metadata"]) ? row["metadata"] : row;
  const exitCode = source["exit_code"];
  if (typeof exitCode === "number" && Number.isSafeInteger(exitCode))
    return { text: text ?? "", running: false, exitCode };
  return text === undefined && row["session_id"] === undefined
    ? undefined
    : { text: text ?? "", running: row["session_id"] !== undefined };
}

/** A record of which the harness cut a part out, so that it is no JSON any more. */
function readCutRecord(line: string): CodexOutput | undefined {
  const head = /^\{"chunk_id":"[^"]*",(?:"[a-z_]+":[\d.]+,)*"output":"/.exec(line);
  if (head === null) return undefined;
  const text = line
    .slice(head[0].length)
    .replaceAll(String.raw`\n`, "\n")
    .replaceAll(String.raw`\t`, "\t")
    .replaceAll(String.raw`\"`, '"');
  const exitCode = /"exit_code":(\d+)/.exec(head[0])?.[1];
  return exitCode === undefined
    ? { text, running: head[0].includes('"session_id"') }
    : { text, running: false, exitCode: Number(exitCode) };
}
