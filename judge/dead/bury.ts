import { lstatSync, renameSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { cutReason } from "../../inbox-schema/describe.ts";
import type { JobEnvelope } from "../../inbox-schema/envelope.ts";
import { parseVerdict } from "../../inbox-schema/parse-verdict.ts";
import { parseObject } from "../../inbox-schema/problem.ts";
import { MAX_REASON, type Verdict } from "../../inbox-schema/verdict.ts";
import { crashAt } from "../../lib/io/crash-point.ts";
import { chooseDeadName, createDeadName, getReasonPath } from "../../lib/io/dead-name.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { errorCode } from "../../lib/io/error-code.ts";
import { makePrivateDir, replaceFile, syncDir } from "../../lib/io/publish-file.ts";
import { findSmallText } from "../../lib/io/read-small-file.ts";
import { getTranscriptKey, shortHash } from "../../lib/io/transcript-key.ts";
import { removeAttempts } from "../state/attempts.ts";
import { cutText } from "../../lib/cut-text.ts";
import { moveOnce } from "../../lib/io/move-file.ts";
import { isTaken, publishVerdict, readVerdict } from "../outbox.ts";
import { createRefusalVerdict } from "../verdict.ts";

/** Why a file is in dead/, as `dead/<file>.reason.json` tells it. */
export interface Death {
  /** A stable word: a code of the job format, or one of the file's own faults. */
  readonly code: string;
  readonly reason: string;
  /** ISO 8601. */
  readonly at: string;
  /** Where the file lay in the inbox. */
  readonly from: string;
  /** Its name in dead/: its own where that is usable and free. */
  readonly file: string;
  /** What the file looked like: another one of its name does not die with it. */
  readonly looks: string;
  /** The verdict published about it; null where no transcript could be read. */
  readonly verdict: Verdict | null;
}

/** What dies: `<id>.json` in `dir`, which was `name` in the inbox. */
export interface Dying {
  readonly dir: string;
  readonly id: string;
  readonly name: string;
}

export interface DeathCause {
  readonly code: string;
  readonly reason: string;
  readonly envelope: JobEnvelope;
  /** Of the file that dies, where it could be read. */
  readonly jobHash?: string;
}

/** Put back into the inbox, it would have overwritten another file. */
export const superseded: DeathCause = {
  code: "superseded",
  reason: "expected to put it back into the inbox, got another file of its name there; that one is judged",
  envelope: {},
};

/** It holds a verdict, which holds what its job said. */
const MAX_RECORD_BYTES = 16 * 1024 * 1024;

/**
 * Moves a file to dead/ beside its reason and publishes an `unchecked` verdict about it. What is to be done is written down
 * first, beside the claim, so that a crash at any point repeats none of it: `finishDeath` goes on from there.
 */
export function bury(dying: Dying, cause: DeathCause, now: Date, paths: StatePaths): Death {
  const { code } = cause;
  const file = chooseDeadName(dying.name, paths);
  const reason = file === dying.name ? cutReason(cause.reason) : nameFile(cause.reason, file);
  const looks = findLooks(getDyingPath(dying.dir, dying.id)) ?? "gone";
  const death: Death = {
    code,
    reason,
    at: now.toISOString(),
    from: join(paths.inbox, dying.name),
    file,
    looks,
    verdict: createUncheckedVerdict({ ...cause, reason }, shortHash(`${dying.name}, ${looks}`), now, paths),
  };
  replaceFile(getRecordPath(dying.dir, dying.id), `${JSON.stringify(death)}\n`, true);
  return carryOut(death, dying, paths);
}

/**
 * Goes on with a death that was begun in `dir`; undefined when none was, or only that of an earlier file of the same name:
 * its record is removed, and the file that is there now lives.
 */
export function finishDeath(dir: string, id: string, paths: StatePaths): Death | undefined {
  const record = getRecordPath(dir, id);
  const death = parseDeath(findSmallText(record, MAX_RECORD_BYTES) ?? "");
  if (death === undefined) return undefined;
  const looks = findLooks(getDyingPath(dir, id));
  if (looks === undefined || looks === death.looks) return carryOut(death, { dir, id }, paths);
  forgetDeath(dir, id);
  return undefined;
}

/**
 * Moves what is no job from the inbox to dead/, beside a reason and without a verdict. Undefined when somebody else was faster. After a crash
 * in between it lies there without a reason.
 */
export function buryStranger(name: string, now: Date, paths: StatePaths): Death | undefined {
  makePrivateDir(paths.dead);
  const from = join(paths.inbox, name);
  const looks = findLooks(from);
  if (looks === undefined) return undefined;
  const file = moveToFreeName(from, name, paths);
  if (file === undefined) return undefined;
  const reason = `expected a job, <id>.json, got ${name}, which nobody has changed for a day; if it is one, drop it again under such a name`;
  const note = file === name ? cutReason(reason) : nameFile(reason, file);
  const death: Death = { code: "not_a_job", reason: note, at: now.toISOString(), from, file, looks, verdict: null };
  replaceFile(getReasonPath(paths, file), `${JSON.stringify(death)}\n`, true);
  return death;
}

function moveToFreeName(from: string, name: string, paths: StatePaths): string | undefined {
  try {
    for (;;) {
      const file = chooseDeadName(name, paths);
      if (moveOnce(from, join(paths.dead, file))) return file;
    }
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The file is to live: nobody may go on with its death later. Throws when the record cannot be removed. */
export function forgetDeath(dir: string, id: string): void {
  rmSync(getRecordPath(dir, id), { force: true });
}

function carryOut(death: Death, dying: Omit<Dying, "name">, paths: StatePaths): Death {
  const { dir, id } = dying;
  const record = getRecordPath(dir, id);
  makePrivateDir(paths.dead);
  if (death.verdict !== null) publishVerdict(death.verdict, paths);
  crashAt("X2 judged");
  const path = getDyingPath(dir, id);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined && !moveOnce(path, join(paths.dead, death.file))) {
    // Somebody took the name since it was chosen.
    const renamed = { ...death, file: createDeadName() };
    replaceFile(record, `${JSON.stringify(renamed)}\n`, true);
    return carryOut(renamed, dying, paths);
  }
  // Before the record goes, by which all this is done again: the attempts of one who is dead would count against another of its id.
  removeAttempts(paths, id);
  // Taken away already, by hand or put back into the inbox: there is nothing that a reason would tell of.
  if (lstatSync(join(paths.dead, death.file), { throwIfNoEntry: false }) === undefined) forgetDeath(dir, id);
  else renameSync(record, getReasonPath(paths, death.file));
  syncDir(paths.dead);
  crashAt("X5 reason moved");
  return death;
}

function getDyingPath(dir: string, id: string): string {
  return join(dir, `${id}.json`);
}

/** The same after any rename or link, another for another file and for one that was written to. */
export function describeLooks({ ino, size, mtime }: Stats): string {
  return `inode ${ino}, ${size} bytes, changed ${mtime.toISOString()}`;
}

function findLooks(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats && describeLooks(stats);
}

function getRecordPath(dir: string, id: string): string {
  return join(dir, `${id}.death.json`);
}

/** The reason of a file that lies in dead/ under another name than its own. */
function nameFile(reason: string, file: string): string {
  const note = `; it is kept as dead/${file}`;
  return cutText(reason, MAX_REASON - note.length) + note;
}

/** `otherId` is for a file whose own id is unusable or has another file's verdict. The id is the same at every try, so that it is told once. */
function createUncheckedVerdict(
  { envelope, reason, jobHash }: DeathCause,
  otherId: string,
  now: Date,
  paths: StatePaths,
): Verdict | null {
  const { id, transcript, transcript_key } = envelope;
  const key = transcript_key ?? (transcript === undefined ? undefined : getTranscriptKey(transcript));
  if (key === undefined) return null;
  const isOwn = (ownId: string) =>
    !isTaken(paths, ownId) || (jobHash !== undefined && readVerdict(paths, ownId)?.job_hash === jobHash);
  const verdictId = id !== undefined && isOwn(id) ? id : otherId;
  return createRefusalVerdict(verdictId, envelope, { transcriptKey: key, jobHash }, reason, now);
}

/** A death record, or a reason in dead/. Undefined for any other text. */
function parseDeath(text: string): Death | undefined {
  const parsed = parseObject(text);
  if (!parsed.ok) return undefined;
  const { code, reason, at, from, file, looks, verdict } = parsed.value;
  if (typeof code !== "string" || typeof reason !== "string" || typeof at !== "string") return undefined;
  if (typeof from !== "string" || typeof file !== "string" || typeof looks !== "string") return undefined;
  const parsedVerdict = parseVerdict(JSON.stringify(verdict));
  return { code, reason, at, from, file, looks, verdict: parsedVerdict.ok ? parsedVerdict.verdict : null };
}
