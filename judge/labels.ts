import { join } from "node:path";
import { ID_PATTERN } from "../inbox-schema/fields.ts";
import type { Verdict } from "../inbox-schema/verdict.ts";
import { listDir } from "../lib/io/list-dir.ts";
import type { StatePaths } from "../lib/io/paths.ts";
import { makePrivateDir, replaceFile } from "../lib/io/publish-file.ts";
import { readBytes } from "../lib/io/read-bytes.ts";
import { isTime } from "../lib/io/time.ts";
import { findText, parseRow } from "../lib/transcript/row.ts";

/** The newest label format this build writes and reads. */
const LABEL_SCHEMA = 1;
/** As large as a verdict, from which a label has the names of its hook and rule. */
const MAX_LABEL_BYTES = 8 * 1024 * 1024;

/** What a person says of a verdict's outcome: a wrong `hit` is a false alarm, a wrong `clean` a miss. */
export type LabelWord = "right" | "wrong";
/** `unchecked` says nothing that could be right or wrong. */
export type LabelledOutcome = "hit" | "clean";

/** A verdict that a person has looked at. It holds all that is counted later, since verdicts are removed after a while, and nothing that was said. */
export interface Label {
  readonly id: string;
  readonly hook: string;
  readonly ruleId?: string;
  readonly outcome: LabelledOutcome;
  readonly label: LabelWord;
  /** When the verdict was made, ISO 8601: another verdict of the same id is not meant. */
  readonly verdictAt: string;
  /** ISO 8601. */
  readonly labelledAt: string;
}

export interface Labels {
  /** By the id of the verdict. */
  readonly found: ReadonlyMap<string, Label>;
  /** Paths of files that are no labels. */
  readonly broken: readonly string[];
}

/** Writes `labels/<id>.json` in one step, in place of an earlier one; it is on disk when this returns. Throws the system's error. */
export function writeLabel(paths: StatePaths, label: Label): void {
  makePrivateDir(paths.labels);
  replaceFile(getLabelPath(paths, label.id), `${JSON.stringify(toLabelJson(label))}\n`, true);
}

/** As it stands in the file. */
export function toLabelJson({ id, hook, ruleId, outcome, label, verdictAt, labelledAt }: Label) {
  return {
    schema: LABEL_SCHEMA,
    id,
    hook,
    ...(ruleId !== undefined && { rule_id: ruleId }),
    outcome,
    label,
    verdict_at: verdictAt,
    labelled_at: labelledAt,
  };
}

/** Every label, also of verdicts that are gone. Throws the system's error when the folder cannot be read. */
export function readLabels(paths: StatePaths): Labels {
  const found = new Map<string, Label>();
  const broken: string[] = [];
  for (const name of listDir(paths.labels)) {
    const id = name.endsWith(".json") ? name.slice(0, -".json".length) : "";
    if (!ID_PATTERN.test(id)) continue;
    const label = readLabel(paths, id);
    if (label === undefined) broken.push(getLabelPath(paths, id));
    else found.set(id, label);
  }
  return { found, broken };
}

/** What was said of this verdict; undefined when nothing was, or only of an earlier one of its id. */
export function findLabel(paths: StatePaths, { id, finished_at }: Verdict): Label | undefined {
  const label = readLabel(paths, id);
  return label?.verdictAt === finished_at ? label : undefined;
}

function readLabel(paths: StatePaths, id: string): Label | undefined {
  const bytes = readBytes(getLabelPath(paths, id), MAX_LABEL_BYTES);
  const label = typeof bytes === "string" ? undefined : parseLabel(bytes.toString("utf8"));
  return label?.id === id ? label : undefined;
}

function parseLabel(text: string): Label | undefined {
  const { schema, id, hook, rule_id, outcome, label, verdict_at, labelled_at } = parseRow(text) ?? {};
  if (schema !== LABEL_SCHEMA || typeof id !== "string" || typeof hook !== "string") return undefined;
  if ((outcome !== "hit" && outcome !== "clean") || (label !== "right" && label !== "wrong")) return undefined;
  if (!isTime(verdict_at) || !isTime(labelled_at)) return undefined;
  const ruleId = findText(rule_id);
  return {
    id,
    hook,
    ...(ruleId !== undefined && { ruleId }),
    outcome,
    label,
    verdictAt: verdict_at,
    labelledAt: labelled_at,
  };
}

function getLabelPath(paths: StatePaths, id: string): string {
  return join(paths.labels, `${id}.json`);
}
