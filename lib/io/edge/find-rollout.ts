import { join } from "node:path";
import { listDir } from "../list-dir.ts";
import { getHome, type Env } from "../paths.ts";

const DAY_MS = 86_400_000;
/** Days with sessions that are looked through where the id does not tell its day. */
const MAX_DAYS = 60;
/** `rollout-2026-01-31T09-00-00-`, before the id. */
const NAME_START = /^rollout-[\dT-]{19}-/;
const ID = /^[0-9a-zA-Z-]{1,64}$/;
/** A UUIDv7 begins with its time in milliseconds. */
const DATED_ID = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/i;

/**
 * The transcript of a Codex thread, `$CODEX_HOME/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`: a session that is resumed goes on in the file of
 * its first day. Undefined where there is none. Throws the system's error when the folders cannot be read.
 */
export function findRollout(threadId: string, env: Env): string | undefined {
  if (!ID.test(threadId)) return undefined;
  const sessions = join(env["CODEX_HOME"] || join(getHome(env), ".codex"), "sessions");
  for (const day of listDays(threadId, sessions)) {
    const name = listDir(join(sessions, day)).find((each) => each.replace(NAME_START, "") === `${threadId}.jsonl`);
    if (name !== undefined) return join(sessions, day, name);
  }
  return undefined;
}

function* listDays(threadId: string, sessions: string): Generator<string> {
  const [, high, low] = DATED_ID.exec(threadId) ?? [];
  if (high !== undefined && low !== undefined) {
    const time = Number.parseInt(high + low, 16);
    // The folders are named by local days.
    for (const days of [0, -1, 1]) yield new Date(time + days * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "/");
  }
  yield* listNewestDays(sessions);
}

function* listNewestDays(sessions: string): Generator<string> {
  let days = 0;
  for (const year of listNewest(sessions))
    for (const month of listNewest(join(sessions, year)))
      for (const day of listNewest(join(sessions, year, month))) {
        if (days++ === MAX_DAYS) return;
        yield join(year, month, day);
      }
}

function listNewest(folder: string): string[] {
  return listDir(folder)
    .filter((name) => /^\d+$/.test(name))
    .sort()
    .reverse();
}
