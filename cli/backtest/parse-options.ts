import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Hook } from "../../lib/hook.ts";
import { findNearest } from "../../lib/nearest.ts";
import { UsageError } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { getSessionDirs, selectExisting } from "./find-transcripts.ts";
import { parseWindow } from "./parse-window.ts";

export interface Options {
  /** Folders and files, absolute. */
  readonly places: readonly string[];
  /** Null: everything. */
  readonly since: Date | null;
  readonly hooks: readonly Hook[];
  readonly judge: boolean;
  /** Asks without a question to the person. */
  readonly yes: boolean;
  readonly labels?: string;
  readonly export?: string;
  readonly json: boolean;
}

const DEFAULT_WINDOW = "14d";
const flag = { type: "boolean", default: false } as const;
const text = { type: "string" } as const;

/** Throws a UsageError for a wrong call, and where no sessions are named and none are known. */
export function parseOptions(args: readonly string[], known: readonly Hook[], io: CliIo): Options {
  const options = { since: text, hook: text, judge: flag, yes: flag, labels: text, export: text, json: flag };
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const places = positionals.length > 0 ? positionals : selectExisting(getSessionDirs(io.env));
  if (places.length === 0)
    throw new UsageError(`expected sessions in ${getSessionDirs(io.env).join(" or ")}, got none there; name a folder`);
  const since = values.since ?? (positionals.length > 0 ? undefined : DEFAULT_WINDOW);
  const find = (path: string | undefined): string | undefined => (path === undefined ? path : resolve(io.cwd, path));
  const [labels, exported] = [find(values.labels), find(values.export)];
  return {
    places: places.map((place) => resolve(io.cwd, place)),
    since: since === undefined ? null : parseWindow(since, io.now()),
    hooks: selectHooks(values.hook, known),
    judge: values.judge,
    yes: values.yes,
    ...(labels === undefined ? {} : { labels }),
    ...(exported === undefined ? {} : { export: exported }),
    json: values.json,
  };
}

function selectHooks(name: string | undefined, known: readonly Hook[]): readonly Hook[] {
  const hooks = known.filter(({ events }) => events.includes("Stop"));
  const chosen = hooks.filter(({ id }) => name === undefined || id === name);
  if (chosen.length > 0) return chosen;
  const ids = hooks.map(({ id }) => id);
  const nearest = name === undefined ? undefined : findNearest(name, ids);
  const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  throw new UsageError(`expected --hook to be one of ${ids.join(", ")}, got ${JSON.stringify(name)}${hint}`);
}
