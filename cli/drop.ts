import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { buffer as readAll } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { v7 as uuidv7 } from "uuid";
import { jobKeys, type Job } from "../inbox-schema/job.ts";
import { parseJob } from "../inbox-schema/parse-job.ts";
import { findFolderProblem } from "../judge/question/folder-problem.ts";
import { getLimits } from "../judge/question/limits.ts";
import { enqueueJob } from "../lib/io/enqueue.ts";
import { probeInstance, readInstances } from "../lib/io/instance.ts";
import { listDir } from "../lib/io/list-dir.ts";
import type { StatePaths } from "../lib/io/paths.ts";
import { findNearest } from "../lib/nearest.ts";
import { getTranscriptKey } from "../lib/io/transcript-key.ts";
import { describeState } from "./describe-error.ts";
import { Failure, UsageError } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { openStateDir } from "./state-dir.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** `catstack drop`: checks a job, stamps what is missing and puts it into the inbox. Nothing is written for a bad one. */
export async function drop(args: readonly string[], io: CliIo): Promise<number> {
  const options = { json: { type: "boolean", default: false } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [source] = positionals;
  if (source === undefined || positionals.length > 1) {
    throw new UsageError(`expected one job file, or - for stdin, got ${positionals.length} arguments`);
  }
  const bytes = source === "-" ? await readAll(io.stdin) : readJobFile(resolve(io.cwd, source));
  const name = source === "-" ? "stdin" : source;
  if (!isUtf8(bytes)) throw new Failure(`${name}: expected UTF-8 text, got other bytes; save it as UTF-8`);
  const text = bytes.toString("utf8");
  const given = findObject(text) ?? {};
  const misspelt = listMisspelt(Object.keys(given));
  const parsed = parseJob(text, typeof given["id"] === "string" ? given["id"] : uuidv7());
  if (!parsed.ok) {
    for (const note of misspelt) io.err(`note: ${note}`);
    throw new Failure(`${name}: ${parsed.reason}, then drop it again`);
  }
  const job = stampJob(parsed.job, name, io);
  const paths = openStateDir(io.env);
  const place = findJob(job.id, paths);
  if (place !== undefined || !enqueueJob(job, paths)) {
    const where = place ?? join(paths.inbox, `${job.id}.json`);
    throw new Failure(`expected a new id, got ${job.id}, which is taken by ${where}; leave \`id\` out to get one`);
  }
  const watched = readInstances(paths).some((instance) => probeInstance(instance) !== "dead");
  const unheard = parsed.job.transcript_key === undefined ? describeTranscript(job) : [];
  const notes = [...misspelt, ...unheard, ...describeTime(job, io.now()), ...describeQuestion(job)];
  report(job, { paths, watched, notes, json: values.json }, io);
  return 0;
}

function readJobFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Failure(`expected a job file at ${path}, ${describeState(error)}`, { cause: error });
  }
}

/** The job with everything stamped that the judge would have to guess. Throws a Failure that says what is wrong. */
function stampJob(job: Job, source: string, io: CliIo): Job {
  const transcript = resolve(io.cwd, job.transcript);
  const created = job.created_at ?? io.now().toISOString();
  return {
    ...job,
    transcript,
    transcript_key: job.transcript_key ?? getTranscriptKey(transcript),
    created_at: created,
    expires_at: job.expires_at ?? getExpiry(created, source),
  };
}

/** A day later. Times of the format have four digits for the year. */
function getExpiry(created: string, source: string): string {
  const expiry = new Date(Date.parse(created) + DAY_MS).toISOString();
  if (/^\d{4}-/.test(expiry)) return expiry;
  throw new Failure(
    `${source}: expected \`created_at\` to be a day or more before the year 10000, got ${created}; correct it or leave it out`,
  );
}

/** What the file holds, if it is an object; what is wrong with it is for the parser to say. */
function findObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}

/** Keys of others are kept and are their own affair, unless they are near to one of ours that is not there. */
function listMisspelt(keys: readonly string[]): string[] {
  const absent = jobKeys.filter((key) => !keys.includes(key));
  return keys.flatMap((key) => {
    const nearest = jobKeys.includes(key) ? undefined : findNearest(key, absent);
    return nearest === undefined ? [] : [`unknown key "${key}"; did you mean "${nearest}"?`];
  });
}

/** Where a job of this id is already: waiting, running or judged. */
function findJob(id: string, paths: StatePaths): string | undefined {
  const name = `${id}.json`;
  const folders = [
    paths.inbox,
    ...listDir(paths.claimed).map((instance) => join(paths.claimed, instance)),
    paths.outbox,
  ];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

interface Report {
  readonly paths: StatePaths;
  /** A watcher runs. */
  readonly watched: boolean;
  /** What is no error and was hardly meant. */
  readonly notes: readonly string[];
  readonly json: boolean;
}

function report({ id, transcript_key }: Job, { paths, watched, notes, json }: Report, io: CliIo): void {
  const verdict = join(paths.outbox, `${id}.json`);
  if (json) {
    io.out(JSON.stringify({ id, job: join(paths.inbox, `${id}.json`), verdict, transcript_key, watched, notes }));
    return;
  }
  io.out(`dropped ${id}`);
  io.out(`verdict ${verdict}`);
  for (const note of notes) io.err(`note: ${note}`);
  if (!watched)
    io.err(
      "note: no watcher is running, so the job waits; start one with: catstack watch (to keep: catstack service install)",
    );
}

/** A verdict reaches the session whose transcript the job names. */
function describeTranscript({ id, transcript }: Job): string[] {
  if (mayBeFile(transcript)) return [];
  return [`no file at ${transcript}: no session will be told; read the verdict with: catstack verdicts ${id}`];
}

/** Also one that cannot be looked at. */
function mayBeFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return true;
  }
}

function describeTime({ expires_at: end }: Job, now: Date): string[] {
  if (end === undefined || Date.parse(end) > now.getTime()) return [];
  return [`it expired at ${end}: nobody will be asked, the verdict will be unchecked`];
}

function describeQuestion(job: Job): string[] {
  if (job.prompt === undefined) return [];
  if (job.hit_if_all_true.length > 0) return describeLimits(job);
  const note = "without `hit_if_all_true` any answer counts as a hit; name the keys of the answer that must be true";
  return [...describeLimits(job), note];
}

/** What the judge will not follow, as far as it can be told here. */
function describeLimits(job: Job): string[] {
  const { ignored, refusal } = getLimits(job, findFolderProblem);
  if (refusal !== undefined) return [`${refusal}; the question is asked in an empty folder`];
  return ignored.length === 0 ? [] : [`${ignored.join(" and ")} will be ignored: for investigate jobs only`];
}
