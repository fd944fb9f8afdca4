import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { buffer as readAll } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { v7 as uuidv7 } from "uuid";
import type { Job } from "../inbox-schema/job.ts";
import { parseJob } from "../inbox-schema/parse-job.ts";
import { findFolderProblem } from "../judge/question/folder-problem.ts";
import { getLimits } from "../judge/question/limits.ts";
import { enqueueJob } from "../lib/io/enqueue.ts";
import { probeInstance, readInstances } from "../lib/io/instance.ts";
import { listDir } from "../lib/io/list-dir.ts";
import type { StatePaths } from "../lib/io/paths.ts";
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
  const job = readJob(bytes, source === "-" ? "stdin" : source, io);
  const paths = openStateDir(io.env);
  const place = findJob(job.id, paths);
  if (place !== undefined || !enqueueJob(job, paths)) {
    const where = place ?? join(paths.inbox, `${job.id}.json`);
    throw new Failure(`expected a new id, got ${job.id}, which is taken by ${where}; leave \`id\` out to get one`);
  }
  const watched = readInstances(paths).some((instance) => probeInstance(instance) !== "dead");
  report(job, paths, watched, values.json, io);
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
function readJob(bytes: Buffer, source: string, io: CliIo): Job {
  if (!isUtf8(bytes)) throw new Failure(`${source}: expected UTF-8 text, got other bytes; save it as UTF-8`);
  const text = bytes.toString("utf8");
  const parsed = parseJob(text, findOwnId(text) ?? uuidv7());
  if (!parsed.ok) throw new Failure(`${source}: ${parsed.reason}, then drop it again`);
  const { job } = parsed;
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

/** The `id` in the file, if there is a text; whether it is a good one is for the parser to say. */
function findOwnId(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    const id = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
    return typeof id === "string" ? id : undefined;
  } catch {
    return undefined;
  }
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

function report(job: Job, paths: StatePaths, watched: boolean, json: boolean, io: CliIo): void {
  const verdict = join(paths.outbox, `${job.id}.json`);
  if (json) {
    io.out(
      JSON.stringify({
        id: job.id,
        job: join(paths.inbox, `${job.id}.json`),
        verdict,
        transcript_key: job.transcript_key,
        watched,
      }),
    );
    return;
  }
  io.out(`dropped ${job.id}`);
  io.out(`verdict ${verdict}`);
  if (job.expires_at !== undefined && Date.parse(job.expires_at) <= io.now().getTime()) {
    io.err(`note: it expired at ${job.expires_at}: nobody will be asked, the verdict will be unchecked`);
  }
  for (const note of describeLimits(job)) io.err(`note: ${note}`);
  if (job.prompt !== undefined && job.hit_if_all_true.length === 0) {
    io.err("note: without `hit_if_all_true` any answer counts as a hit; name the keys of the answer that must be true");
  }
  if (!watched) io.err("note: no watcher is running, so the job waits; start one with: catstack watch");
}

/** What the judge will not follow, as far as it can be told here. */
function describeLimits(job: Job): string[] {
  if (job.prompt === undefined) return [];
  const { ignored, refusal } = getLimits(job, findFolderProblem);
  if (refusal !== undefined) return [`${refusal}; the question is asked in an empty folder`];
  return ignored.length === 0 ? [] : [`${ignored.join(" and ")} will be ignored: for investigate jobs only`];
}
