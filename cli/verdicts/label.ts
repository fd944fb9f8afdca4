import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { findLabel, toLabelJson, writeLabel, type Label, type LabelWord } from "../../judge/labels.ts";
import type { Verdict } from "../../inbox-schema/verdict.ts";
import { toPlainLine } from "../../lib/plain-line.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { describeState } from "../describe-error.ts";
import { Failure, UsageError } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { openStateDir } from "../state-dir.ts";
import { getVerdict } from "./get-verdict.ts";

/** `catstack verdicts label ID right|wrong [--json]`: what a person says of an outcome, in place of what they said before. */
export function labelVerdict(args: readonly string[], io: CliIo): number {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { json: { type: "boolean", default: false } },
  });
  const [id, word, ...others] = positionals;
  if (id === undefined || word === undefined || others.length > 0)
    throw new UsageError(`expected an id and right or wrong, got ${positionals.length} of 2 arguments`);
  if (word !== "right" && word !== "wrong")
    throw new UsageError(`expected right or wrong, got ${JSON.stringify(word)}`);
  const paths = openStateDir(io.env);
  const verdict = getVerdict(id, paths);
  const before = findLabel(paths, verdict);
  const label = createLabel(verdict, word, io.now());
  writeOrRefuse(paths, label);
  io.out(values.json ? JSON.stringify(toLabelJson(label)) : formatLabelled(label, before));
  return 0;
}

/** Throws a Failure that names the place and what is in the way. */
function writeOrRefuse(paths: StatePaths, label: Label): void {
  try {
    writeLabel(paths, label);
  } catch (error) {
    const path = join(paths.labels, `${label.id}.json`);
    throw new Failure(`expected to be able to write a label to ${path}, ${describeObstacle(path, error)}`, {
      cause: error,
    });
  }
}

function describeObstacle(path: string, error: unknown): string {
  const folder = dirname(path);
  if (isFolder(folder) === false) return `got a file at ${folder}; move it away`;
  return isFolder(path) === true ? "got a folder; move it away" : describeState(error);
}

/** Undefined: nothing is there. */
function isFolder(path: string): boolean | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory();
}

function createLabel({ id, hook, rule_id, outcome, finished_at }: Verdict, label: LabelWord, now: Date): Label {
  if (outcome === "unchecked")
    throw new Failure(
      `expected a verdict of hit or clean, got ${id}, which is unchecked: nobody judged, so nothing is right or wrong`,
    );
  const rule = rule_id === undefined ? {} : { ruleId: rule_id };
  return { id, hook, ...rule, outcome, label, verdictAt: finished_at, labelledAt: now.toISOString() };
}

function formatLabelled({ id, hook, outcome, label }: Label, before: Label | undefined): string {
  const meaning = label === "right" ? "" : outcome === "hit" ? ": a false alarm" : ": a miss";
  const instead = before === undefined || before.label === label ? "" : `, no longer ${before.label}`;
  return `labelled ${id} (${outcome}, ${toPlainLine(hook)}) ${label}${meaning}${instead}`;
}
