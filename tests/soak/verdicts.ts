import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseVerdict } from "../../inbox-schema/parse-verdict.ts";
import type { Verdict } from "../../inbox-schema/verdict.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { StatePaths } from "../../lib/io/paths.ts";

/** Keeps the text of each verdict as it was first seen. */
export interface VerdictWatch {
  /** Takes in what is new; gives how many ids have a verdict. */
  look(): number;
  /** Whether the last look found a verdict on it. */
  has(id: string): boolean;
  /** The ids whose verdict is gone or another one than before. */
  findChanged(): string[];
  /** As they are now. Throws on a file that is no verdict. */
  getAll(): ReadonlyMap<string, Verdict>;
}

export function watchVerdicts(paths: StatePaths): VerdictWatch {
  const seen = new Map<string, string>();
  return {
    look() {
      for (const id of listIds(paths.outbox)) if (!seen.has(id)) seen.set(id, readText(paths, id));
      return seen.size;
    },
    has: (id) => seen.has(id),
    findChanged() {
      const there = new Set(listIds(paths.outbox));
      return [...seen].flatMap(([id, text]) => (there.has(id) && readText(paths, id) === text ? [] : [id]));
    },
    getAll: () => new Map(listIds(paths.outbox).map((id) => [id, readVerdict(paths, id)])),
  };
}

/** Verdicts that wait to be told, or are being told, by id; one that is queued twice is there twice. */
export function listQueued({ undelivered, delivering }: StatePaths): string[] {
  return [undelivered, delivering].flatMap((parent) => listDir(parent).flatMap((name) => listIds(join(parent, name))));
}

function listIds(folder: string): string[] {
  return listDir(folder).flatMap((name) => (/^[\w-]+\.json$/.test(name) ? [basename(name, ".json")] : []));
}

function readText({ outbox }: StatePaths, id: string): string {
  return readFileSync(join(outbox, `${id}.json`), "utf8");
}

function readVerdict(paths: StatePaths, id: string): Verdict {
  const parsed = parseVerdict(readText(paths, id));
  if (!parsed.ok) throw new Error(`expected the verdict of ${id}, got: ${parsed.reason}`);
  return parsed.verdict;
}
