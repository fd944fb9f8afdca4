import { parseArgs } from "node:util";
import { listDead, readDead, removeDead } from "../judge/dead/list-dead.ts";
import { requeueDead } from "../judge/dead/requeue-dead.ts";
import { probeInstance, readInstances } from "../lib/io/instance.ts";
import type { StatePaths } from "../lib/io/paths.ts";
import { toPlainLine } from "../lib/plain-line.ts";
import { formatEntry, formatList, formatRequeued, toJson } from "./dead/format-dead.ts";
import { selectEntries, selectNamedOrAll } from "./dead/select-entries.ts";
import { UsageError } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { findNearest } from "../lib/nearest.ts";
import { openStateDir } from "./state-dir.ts";

type Act = (args: readonly string[], paths: StatePaths, io: CliIo) => number;

/** Enough to see what is wrong with a job; a terminal takes no more. */
const SHOWN_BYTES = 16 * 1024;
/** Every job that is not too large, whole. */
const JSON_BYTES = 2 * 1024 * 1024;

const flag = { type: "boolean", default: false } as const;
const acts: ReadonlyMap<string, Act> = new Map([
  ["list", list],
  ["show", show],
  ["requeue", requeue],
  ["drop", drop],
]);

/** `catstack dead list|show|requeue|drop`: what could not be judged. 1 when one that was named is not there or stays where it is. */
export async function dead(args: readonly string[], io: CliIo): Promise<number> {
  const [name, ...rest] = args;
  const act = acts.get(name ?? "");
  if (act === undefined) throw new UsageError(describeWrongAct(name));
  return act(rest, openStateDir(io.env), io);
}

function describeWrongAct(name: string | undefined): string {
  const nearest = name === undefined ? undefined : findNearest(name, [...acts.keys()]);
  const hint = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
  return `expected list, show, requeue or drop, got ${name === undefined ? "nothing" : `\`${name}\``}${hint}`;
}

/** Newest first. */
function list(args: readonly string[], paths: StatePaths, io: CliIo): number {
  const { values } = parseArgs({ args: [...args], options: { json: flag } });
  const entries = listDead(paths);
  if (values.json) io.out(JSON.stringify(entries.map(toJson)));
  else for (const line of formatList(entries, io.now(), io.color)) io.out(line);
  return 0;
}

function show(args: readonly string[], paths: StatePaths, io: CliIo): number {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: { json: flag } });
  if (positionals.length !== 1) throw new UsageError(`expected one file, got ${positionals.length}`);
  for (const entry of selectEntries(positionals, listDead(paths))) {
    const limit = values.json ? JSON_BYTES : SHOWN_BYTES;
    const content = readDead(entry, limit);
    if (values.json)
      io.out(JSON.stringify({ ...toJson(entry), content: content ?? null, truncated: entry.bytes > limit }));
    else for (const line of formatEntry(entry, content, limit)) io.out(line);
  }
  return 0;
}

function requeue(args: readonly string[], paths: StatePaths, io: CliIo): number {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: { all: flag } });
  const entries = selectNamedOrAll(positionals, values.all, listDead(paths), "nothing was requeued");
  if (entries.length === 0) io.out("nothing is dead");
  const results = entries.map((entry) => {
    const requeued = requeueDead(entry, paths, io.now());
    const line = formatRequeued(entry.file, requeued);
    if (requeued.is === "refused") io.err(line);
    else io.out(line);
    return requeued.is;
  });
  const isWatched = readInstances(paths).some((instance) => probeInstance(instance) !== "dead");
  if (results.includes("requeued") && !isWatched)
    io.err(
      "note: no watcher is running, so it waits; start one with: catstack watch (to keep: catstack service install)",
    );
  return results.includes("refused") ? 1 : 0;
}

/** Asks nothing, so all at once takes a word more. */
function drop(args: readonly string[], paths: StatePaths, io: CliIo): number {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { all: flag, yes: flag },
  });
  const entries = selectNamedOrAll(positionals, values.all, listDead(paths), "nothing was removed");
  if (values.all && !values.yes && entries.length > 0) {
    const count = entries.length === 1 ? "1 file" : `${entries.length} files`;
    throw new UsageError(`expected --yes beside --all, got --all alone; it would remove ${count} for good`);
  }
  if (entries.length === 0) io.out("nothing is dead");
  let isAllGone = true;
  for (const entry of entries) {
    const problem = removeDead(entry);
    if (problem === undefined) io.out(`removed ${toPlainLine(entry.file)}`);
    else io.err(`kept ${toPlainLine(entry.file)}: ${toPlainLine(problem)}`);
    isAllGone &&= problem === undefined;
  }
  return isAllGone ? 0 : 1;
}
