import { lstatSync, type Stats } from "node:fs";
import { basename, join } from "node:path";
import { showValue } from "../../inbox-schema/describe.ts";
import { ID_PATTERN } from "../../inbox-schema/fields.ts";
import { parseJob } from "../../inbox-schema/parse-job.ts";
import { parseObject } from "../../inbox-schema/problem.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { makePrivateDir, publishOnce } from "../../lib/io/publish-file.ts";
import { shortHash } from "../../lib/io/transcript-key.ts";
import { describeLooks } from "./bury.ts";
import { removeDead, type DeadEntry } from "./list-dead.ts";
import { getExpiry } from "../inbox/expiry.ts";
import { getStem, isJobName } from "../inbox/job-name.ts";
import { readJobFile } from "../inbox/job-file.ts";
import { isTaken, readVerdict } from "../outbox.ts";
import { removeAttempts } from "../state/attempts.ts";
import { moveOnce } from "../../lib/io/move-file.ts";

export type Requeued =
  /** It waits in the inbox as `<id>.json`. With changes, each said in a phrase, it is a copy under a new id. */
  | { readonly is: "requeued"; readonly id: string; readonly changes: readonly string[] }
  /** An earlier try was cut short after the inbox had it: it has its verdict. */
  | { readonly is: "judged"; readonly id: string }
  /** Nothing was changed. */
  | { readonly is: "refused"; readonly reason: string };

/** A file in dead/ that the judge will take, under some id. */
interface Corpse {
  readonly entry: DeadEntry;
  readonly stats: Stats;
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** By its name in the inbox; undefined when that was no id. */
  readonly wantedId: string | undefined;
  /** The same at every try: what a try that was cut short has put into the inbox is found again. */
  readonly freshId: string;
  readonly isExpired: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Puts a dead file back into the inbox with all its attempts, and removes its reason last. It goes under its own name where that
 * is free and has no verdict: its death may have published one, which would answer it at once. Else, and when it has expired, a copy goes
 * under a fresh id. What would only die again stays. Throws the system's error; then it may be tried again.
 */
export function requeueDead(entry: DeadEntry, paths: StatePaths, now: Date): Requeued {
  const corpse = readCorpse(entry, now);
  if (typeof corpse === "string") return { is: "refused", reason: corpse };
  const earlier = findEarlierTry(corpse, paths);
  if (earlier !== undefined) {
    removeDead(entry);
    return earlier;
  }
  const changes = listChanges(corpse, findOccupant(corpse.wantedId, paths), now);
  const { wantedId, freshId } = corpse;
  const id = wantedId === undefined || changes.length > 0 ? freshId : wantedId;
  const target = join(paths.inbox, `${id}.json`);
  makePrivateDir(paths.inbox);
  removeAttempts(paths, id);
  if (id === wantedId && !moveOnce(entry.path, target))
    return { is: "refused", reason: `expected ${target} to be free, but a job has just come there; try again` };
  if (id === freshId) {
    makePrivateDir(paths.tmp);
    publishOnce(target, renew(corpse, now), paths.tmp);
  }
  removeDead(entry);
  return { is: "requeued", id, changes };
}

/** Why it cannot go back, or all that is needed to put it back. */
function readCorpse(entry: DeadEntry, now: Date): Corpse | string {
  if (entry.kind === "nothing") return "expected a file, got nothing but its reason; `catstack dead drop` removes that";
  if (entry.reason?.code === "broken_verdict") return "expected a job, got what should have been a verdict; drop it";
  const wantedId = findWantedId(entry);
  const file = readJobFile(entry.path, wantedId ?? "none", Infinity);
  if (file.is === "gone") return "expected a file, got nothing: somebody else was faster";
  if (file.is === "half-written") return "expected a whole file, got one that is being written; try again";
  // Its id is looked at below: it can be changed.
  if (file.is === "bad" && file.code !== "invalid")
    return ["not_a_file", "foreign_owner"].includes(file.code) ? file.reason : addAdvice(file.reason, entry);
  const { stats, text = "" } = file;
  const object = parseObject(text);
  if (!object.ok) return object.problem.reason;
  const { value } = object;
  const freshId = shortHash(`requeued ${entry.file}, ${describeLooks(stats)}`);
  const parsed = parseJob(text, typeof value["id"] === "string" ? value["id"] : freshId);
  if (!parsed.ok) return addAdvice(parsed.reason, entry);
  const isExpired = getExpiry(parsed.job, now.getTime()) <= now.getTime();
  return { entry, stats, text, value, wantedId, freshId, isExpired };
}

/** The reason ends with what to do to the file. */
function addAdvice(reason: string, { file }: DeadEntry): string {
  return `${reason} in dead/${file}, then: catstack dead requeue ${file}`;
}

function findWantedId({ file, reason }: DeadEntry): string | undefined {
  const name = basename(reason?.from ?? file);
  return isJobName(name) && ID_PATTERN.test(getStem(name)) ? getStem(name) : undefined;
}

/** One that was cut short between putting it into the inbox and taking it out of dead/. */
function findEarlierTry({ entry, stats, text, wantedId, freshId }: Corpse, paths: StatePaths): Requeued | undefined {
  if (findQueued(freshId, paths) !== undefined)
    return { is: "requeued", id: freshId, changes: ["an earlier try had put it there"] };
  if (isTaken(paths, freshId)) return { is: "judged", id: freshId };
  if (wantedId === undefined) return undefined;
  const queued = findQueued(wantedId, paths);
  if (queued?.ino === stats.ino && queued.dev === stats.dev) return { is: "requeued", id: wantedId, changes: [] };
  // Not the verdict that its death published.
  const diedSilently = entry.reason !== undefined && entry.reason.verdictId === undefined;
  const isJudged = diedSilently && readVerdict(paths, wantedId)?.job_hash === shortHash(text);
  return isJudged ? { is: "judged", id: wantedId } : undefined;
}

function findQueued(id: string, { inbox, claimed, reclaim }: StatePaths): Stats | undefined {
  const folders = [claimed, reclaim].flatMap((parent) => listDir(parent).map((name) => join(parent, name)));
  return [inbox, ...folders]
    .map((folder) => lstatSync(join(folder, `${id}.json`), { throwIfNoEntry: false }))
    .find((stats) => stats !== undefined);
}

/** What keeps it from its own id. */
function findOccupant(id: string | undefined, paths: StatePaths): "verdict" | "job" | undefined {
  if (id === undefined) return undefined;
  if (isTaken(paths, id)) return "verdict";
  return findQueued(id, paths) === undefined ? undefined : "job";
}

/** Why it cannot go back as it is; none: it can. */
function listChanges(
  { value, wantedId, isExpired }: Pick<Corpse, "value" | "wantedId" | "isExpired">,
  occupant: ReturnType<typeof findOccupant>,
  now: Date,
): string[] {
  const changes: string[] = [];
  if (wantedId === undefined) changes.push("its name is no id");
  if (occupant === "verdict") changes.push(`${wantedId} has a verdict already`);
  if (occupant === "job") changes.push(`another job of id ${wantedId} is there`);
  if (value["id"] !== undefined && value["id"] !== wantedId)
    changes.push(`the id in it, ${showValue(value["id"])}, was not its name`);
  if (isExpired) changes.push(`it had expired, and has until ${getNewExpiry(now)} now`);
  return changes;
}

/** Its text under the fresh id. Every other key stays. */
function renew({ value, text, freshId, isExpired }: Corpse, now: Date): string {
  if (value["id"] === undefined && !isExpired) return text;
  const renewed = {
    ...value,
    ...(value["id"] !== undefined && { id: freshId }),
    ...(isExpired && { expires_at: getNewExpiry(now) }),
  };
  return `${JSON.stringify(renewed)}\n`;
}

function getNewExpiry(now: Date): string {
  return new Date(now.getTime() + DAY_MS).toISOString();
}
