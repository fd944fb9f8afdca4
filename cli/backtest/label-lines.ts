import { parseRow, type Row } from "../../lib/transcript/row.ts";
import { Failure } from "../failure.ts";

/** What a hook does in a turn: with `--judge`, what came of its questions. */
export type CaseState = "fires" | "asks" | "silent" | "hit" | "clean" | "unchecked";

/** A turn to be labelled, a line of the file. `hit` comes first, where it is changed. */
export interface Case {
  /** Whether the hook should fire here; null: nobody has said so yet. */
  readonly hit: boolean | null;
  readonly hook: string;
  /** The messages and rules of what it would do; empty where it is silent. */
  readonly rule: string;
  readonly outcome: CaseState;
  /** What it would tell the person. */
  readonly says?: string;
  /** The end of what the person had typed, and of the reply: redacted. */
  readonly user?: string;
  readonly reply: string;
  readonly at: string | null;
  readonly transcript: string;
  readonly turn: number;
  readonly id: string;
}

/** What is taken from a line: people may add keys of their own. */
export interface Label {
  readonly id: string;
  readonly hit: boolean | null;
  /** What the hook did when the line was written; absent where somebody left it out. */
  readonly outcome?: string;
}

/** The labels of a file's text. Throws a Failure that names the line and says what is wrong with it. */
export function parseLabels(text: string, name: string): readonly Label[] {
  const labels = new Map<string, Label>();
  for (const [index, line] of text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === "") continue;
    const label = parseLabel(parseRow(line), `${name}:${index + 1}`);
    if (labels.has(label.id))
      throw new Failure(
        `expected each id once, got ${label.id} again in ${name}:${index + 1}; remove one of the lines`,
      );
    labels.set(label.id, label);
  }
  return [...labels.values()];
}

function parseLabel(row: Row | undefined, where: string): Label {
  if (row === undefined) throw new Failure(`expected a JSON object in ${where}, got something else; correct the line`);
  const { id, hit, outcome } = row;
  if (typeof id !== "string" || id === "")
    throw new Failure(
      `expected \`id\` to be a text in ${where}, got ${JSON.stringify(id)}; take the line from --export`,
    );
  if (typeof hit !== "boolean" && hit !== null)
    throw new Failure(
      `expected \`hit\` to be true, false or null in ${where}, got ${JSON.stringify(hit)}; say whether the hook should fire there`,
    );
  return { id, hit, ...(typeof outcome === "string" ? { outcome } : {}) };
}

/** The file's text with the cases that it does not hold yet behind it. What is there stays as it is, word for word. */
export function mergeCases(text: string, cases: readonly Case[], name: string): { text: string; added: number } {
  const known = new Set(parseLabels(text, name).map(({ id }) => id));
  const fresh = cases.filter(({ id }) => !known.has(id));
  const before = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return { text: before + fresh.map((each) => `${JSON.stringify(each)}\n`).join(""), added: fresh.length };
}
