import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { main } from "../../hooks/main.ts";
import type { Job } from "../../inbox-schema/job.ts";
import { parseJob } from "../../inbox-schema/parse-job.ts";
import type { Hook } from "../../lib/hook.ts";
import { getStatePaths, type Env, type StatePaths } from "../../lib/io/paths.ts";
import { findSmallText } from "../../lib/io/read-small-file.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { parseRow } from "../../lib/transcript/row.ts";
import { version } from "../../lib/version.ts";
import { startWatcher } from "../../judge/watcher.ts";
import type { Client } from "./story-schema.ts";

/** A scratch home of its own, with the real hooks and the real judge; only the model is made up. */
export interface Stage {
  /** Adds rows to a transcript. */
  append(transcript: string, rows: string): void;
  /** Sends a payload to the hooks, as the client does. */
  send(payload: object, now: Date): Promise<Printed>;
  /** The jobs in the inbox, by id. */
  readJobs(): ReadonlyMap<string, Job>;
  /** The hooks that have noted what they would have done, one entry each time. */
  readObserved(): readonly string[];
  /** Has everything judged that waits. A model that is asked prints what `answers` has for the job's id, and fails without. */
  judge(answers: ReadonlyMap<string, string>, now: Date): Promise<void>;
}

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

export interface StageOptions {
  /** An empty folder. */
  readonly root: string;
  readonly client: Client;
  readonly hooks: readonly Hook[];
  /** Of the story; `path` is where programs are found. */
  readonly env: Readonly<Record<string, string>>;
  readonly path: string;
}

export function createStage({ root, client, hooks, env: told, path }: StageOptions): Stage {
  const answersDir = join(root, "answers");
  mkdirSync(answersDir, { recursive: true });
  // Runners get the job's id in CATSTACK_JOB: see judge/runners/env.ts.
  const model = ["model", ["/bin/sh", "-c", 'exec cat "$0/$CATSTACK_JOB"', answersDir]];
  const env: Env = {
    ...Object.fromEntries(hooks.map(({ id }) => [getModeVariable(id), "advise"])),
    ...told,
    HOME: root,
    PATH: path,
    TMPDIR: root,
    CATSTACK_LLM_JUDGE_STATE_DIR: join(root, "state"),
    VERDICT_FLIP_WATCH_STATE_DIR: join(root, "flips"),
    CATSTACK_LLM_JUDGE_RUNNERS: JSON.stringify([model]),
  };
  const paths = getStatePaths(env);
  return {
    append(transcript, rows) {
      mkdirSync(dirname(transcript), { recursive: true });
      appendFileSync(transcript, rows);
    },
    send: (payload, now) => sendPayload({ root, client, env, hooks, now }, payload),
    readJobs: () => readJobs(paths),
    readObserved: () => readObserved(paths),
    async judge(answers, now) {
      for (const [id, text] of answers) writeFileSync(join(answersDir, id), text);
      await judgeAll(paths, env, now);
    },
  };
}

function getModeVariable(hookId: string): string {
  return `CATSTACK_HOOK_MODE_${hookId.toUpperCase().replaceAll("-", "_")}`;
}

export interface HookCall extends Pick<StageOptions, "root" | "client" | "hooks"> {
  readonly env: Env;
  readonly now: Date;
}

/** Sends one payload through the real edge; `root` takes the files that stand for its streams. */
export async function sendPayload({ root, client, ...call }: HookCall, payload: object): Promise<Printed> {
  const [stdin, stdout, stderr] = ["stdin", "stdout", "stderr"].map((name) => join(root, name));
  if (stdin === undefined || stdout === undefined || stderr === undefined)
    throw new Error("three names make three paths");
  writeFileSync(stdin, JSON.stringify(payload));
  const [stdinFd, stdoutFd, stderrFd] = [openSync(stdin, "r"), openSync(stdout, "w"), openSync(stderr, "w")];
  try {
    const getStdin = (): never => {
      throw new Error("a file is never read as a stream");
    };
    await main({ ...call, args: [client], stdinFd, getStdin, stdoutFd, stderrFd, bundleHash: version });
  } finally {
    for (const fd of [stdinFd, stdoutFd, stderrFd]) closeSync(fd);
  }
  return { stdout: readFileSync(stdout, "utf8"), stderr: readFileSync(stderr, "utf8") };
}

/** Throws for one that the judge would refuse: the hooks' own jobs are never wrong. */
function readJobs({ inbox }: StatePaths): ReadonlyMap<string, Job> {
  const stems = listDir(inbox).map((name) => name.replace(/\.json$/, ""));
  return new Map(
    stems.sort().map((stem) => {
      const parsed = parseJob(readFileSync(join(inbox, `${stem}.json`), "utf8"), stem);
      if (!parsed.ok)
        throw new Error(`expected a hook to write a job of the format, got one of which ${parsed.reason}`);
      return [stem, parsed.job];
    }),
  );
}

function readObserved({ observedLog }: StatePaths): readonly string[] {
  const text = findSmallText(observedLog, Number.MAX_SAFE_INTEGER) ?? "";
  return text.split("\n").flatMap((line) => {
    const hook = parseRow(line)?.["hook"];
    return typeof hook === "string" ? [hook] : [];
  });
}

const noLimits = {
  concurrency: 2,
  jobsPerHour: 1_000_000,
  jobsPerDay: 1_000_000,
  hookShare: 1,
  maxWaiting: 0,
  tripPerMinute: 0,
  runners: {},
};

async function judgeAll(paths: StatePaths, env: Env, now: Date): Promise<void> {
  const problems: unknown[] = [];
  const report = (error: unknown): void => void problems.push(error);
  const options = { paths, env, settings: noLimits, once: true, listeners: [], report, graceMs: 0 };
  const { ended } = await startWatcher({ ...options, now: () => now });
  const { code, reason } = await ended;
  if (code !== 0 || problems.length > 0)
    throw new Error(`expected the judge to end well, got ${[reason, ...problems].join("; ")}`);
}
