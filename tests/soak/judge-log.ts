import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseObject } from "../../inbox-schema/problem.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { StatePaths } from "../../lib/io/paths.ts";

/** An event as judge.log tells it; what has another type there is absent. */
export interface LoggedEvent {
  readonly event: string;
  readonly id?: string;
  readonly attempt?: number;
  readonly what?: string;
  readonly message?: string;
}

/** Every event of every watcher, in the order they were logged; a line that a killed watcher wrote half of is left out. */
export function readEvents({ judgeLog }: StatePaths): LoggedEvent[] {
  const folder = dirname(judgeLog);
  const files = listDir(folder)
    .filter((name) => name.startsWith(basename(judgeLog)))
    .sort()
    .reverse();
  return files.flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n").flatMap(parseEvent));
}

function parseEvent(line: string): LoggedEvent[] {
  const parsed = parseObject(line);
  if (!parsed.ok) return [];
  const { event, id, attempt, what, message } = parsed.value;
  if (typeof event !== "string") return [];
  return [
    {
      event,
      ...(typeof id === "string" && { id }),
      ...(typeof attempt === "number" && { attempt }),
      ...(typeof what === "string" && { what }),
      ...(typeof message === "string" && { message }),
    },
  ];
}
