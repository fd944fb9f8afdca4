import { parseObject } from "../../inbox-schema/problem.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { replaceFile } from "../../lib/io/publish-file.ts";
import { findSmallText } from "../../lib/io/read-small-file.ts";
import { isTripped, type Trip } from "../schedule/trip.ts";
import { isTime } from "../../lib/io/time.ts";

/** What `run/tripped.json` says, while it holds; undefined when there is none, it is over or it is broken. Throws the system's error. */
export function readTrip(paths: StatePaths, now: number): Trip | undefined {
  const text = findSmallText(paths.tripped);
  const trip = text === undefined ? undefined : parseTrip(text);
  return trip !== undefined && isTripped(trip, now) ? trip : undefined;
}

export function writeTrip(paths: StatePaths, { since, until, limit }: Trip): void {
  const text = { since: new Date(since).toISOString(), until: new Date(until).toISOString(), limit };
  replaceFile(paths.tripped, `${JSON.stringify(text)}\n`);
}

function parseTrip(text: string): Trip | undefined {
  const parsed = parseObject(text);
  if (!parsed.ok) return undefined;
  const { since, until, limit } = parsed.value;
  if (!isTime(since) || !isTime(until) || typeof limit !== "number") return undefined;
  return { since: Date.parse(since), until: Date.parse(until), limit };
}
