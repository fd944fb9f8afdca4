import { isRecord } from "../../inbox-schema/describe.ts";
import type { Mode } from "../../inbox-schema/job.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { replaceFile, unlinkQuietly } from "../../lib/io/publish-file.ts";
import { findSmallText } from "../../lib/io/read-small-file.ts";
import { parseObject } from "../../inbox-schema/problem.ts";
import { isRestCause, type RestCause } from "../question/rest.ts";
import { isTime } from "../../lib/io/time.ts";
import { hasProgramChanged, type Lookup } from "../runners/identify.ts";
import { hasLoginChanged, type Login } from "../runners/login.ts";
import { MAX_AHEAD_MS } from "../runners/reset-time.ts";

/** A runner that is not asked for a while, as `run/resting.json` tells every watcher. */
export interface Rest {
  readonly runner: string;
  readonly cause: RestCause;
  /** What the runner said. */
  readonly reason: string;
  /** ISO 8601, as `until` is. */
  readonly since: string;
  readonly until: string;
  /** Which program it was: another one does not rest. */
  readonly program: string;
  /** The mode in which it failed; another that calls it alike leaves it alone too. Absent in files of older versions. */
  readonly mode?: Mode;
  /** Once another program is found there, it is over. Absent in files of older versions. */
  readonly lookup?: Lookup;
  /** Where a login may end it: once that is another one, it is over. */
  readonly login?: Login;
}

/**
 * By how the runner is called. Those are left out whose time, login or program is over, those of the future, from before a clock was set back, and
 * those that would last longer than any limit does.
 */
export type Rests = Readonly<Record<string, Rest>>;

/** None when there is no such file; what in it is no rest is left out. Throws the system's error when it cannot be read. */
export function readRests(paths: StatePaths, now: Date): Rests {
  return Object.fromEntries(Object.entries(readAllRests(paths)).filter(([, rest]) => isOn(rest, now)));
}

/** Also those that are over. Throws as `readRests`. */
export function readAllRests(paths: StatePaths): Rests {
  const parsed = parseObject(findSmallText(paths.resting) ?? "{}");
  if (!parsed.ok) return {};
  const found = Object.entries(parsed.value).flatMap(([call, value]) => {
    const rest = parseRest(value);
    return rest === undefined ? [] : [[call, rest] as const];
  });
  return Object.fromEntries(found);
}

/** Of two watchers that write at the same moment one may be forgotten: that runner is asked once more. */
export function writeRests(paths: StatePaths, rests: Rests): void {
  if (Object.keys(rests).length === 0) unlinkQuietly(paths.resting);
  else replaceFile(paths.resting, `${JSON.stringify(rests)}\n`);
}

function isOn({ since, until, login, lookup }: Rest, now: Date): boolean {
  const left = Date.parse(until) - now.getTime();
  if (Date.parse(since) > now.getTime() || left <= 0 || left > MAX_AHEAD_MS) return false;
  if (lookup !== undefined && hasProgramChanged(lookup)) return false;
  return login === undefined || !hasLoginChanged(login);
}

function parseRest(value: unknown): Rest | undefined {
  if (!isRecord(value)) return undefined;
  const { runner, cause, reason, since, until, program, mode, lookup, login } = value;
  if (typeof runner !== "string" || typeof cause !== "string" || !isRestCause(cause)) return undefined;
  if (typeof reason !== "string" || !isTime(since) || !isTime(until) || typeof program !== "string") return undefined;
  const known = { mode: parseMode(mode), lookup: parseLookup(lookup), login: parseLogin(login) };
  return {
    runner,
    cause,
    reason,
    since,
    until,
    program,
    ...(known.mode && { mode: known.mode }),
    ...(known.lookup && { lookup: known.lookup }),
    ...(known.login && { login: known.login }),
  };
}

function parseMode(value: unknown): Mode | undefined {
  return value === "default" || value === "investigate" ? value : undefined;
}

function parseLookup(value: unknown): Lookup | undefined {
  if (!isRecord(value)) return undefined;
  const { file, path, found } = value;
  if (typeof file !== "string" || typeof path !== "string") return undefined;
  return found === null || typeof found === "string" ? { file, path, found } : undefined;
}

function parseLogin(value: unknown): Login | undefined {
  if (!isRecord(value)) return undefined;
  const { file, stamp } = value;
  return typeof file === "string" && typeof stamp === "string" ? { file, stamp } : undefined;
}
