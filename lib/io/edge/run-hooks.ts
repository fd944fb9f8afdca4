import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Payload } from "../../harness/payload.ts";
import type { Hook, HookEvent, HookMode, HookOutcome } from "../../hook.ts";
import type { HookError } from "../../harness/render-error.ts";
import { getHookMode } from "../../settings.ts";
import type { Adapter } from "../../transcript/adapter.ts";
import type { Digest, Fold } from "../../transcript/digest.ts";
import { applyOutcome, observeOutcome, type Place } from "./apply-outcome.ts";
import { awaitResults } from "./await-results.ts";
import { createFenceNonce } from "./fence-key.ts";
import { createMark, type Mark } from "./once.ts";
import { getMarkerDirs, getSettingsPath, getStatePaths, type Env } from "../paths.ts";
import { type DigestReading, readDigest } from "../transcript/read-transcript.ts";
import { readHookSettings } from "../settings.ts";
import { getTranscriptKey, shortHash } from "../transcript-key.ts";

/** What the process edge knows that no payload tells. */
export interface Edge {
  readonly env: Env;
  readonly now: Date;
  readonly hooks: readonly Hook[];
  readonly adapter: Adapter;
  readonly fold: Fold;
  /** Names this build: digests that another build has folded are folded anew. */
  readonly bundleHash: string;
  /** Whether a command line may change a digest; absent: any may. */
  readonly mayMatter?: (command: string) => boolean;
  /** Called before a transcript is read that is long and was not seen before. */
  readonly beforeLongRead?: () => void;
  /** Waits so many milliseconds for a transcript to grow; absent: by sleeping. */
  readonly pause?: (ms: number) => void;
}

export interface HookRun {
  /** What the person is to hear, one text each. */
  readonly said: readonly string[];
  readonly errors: readonly HookError[];
  /** Marks that were made for what is said: to be removed when it cannot be printed. */
  readonly marks: readonly Mark[];
}

const nothing: HookRun = { said: [], errors: [], marks: [] };

const noReply =
  "expected last_assistant_message in the Stop payload (Claude Code since 2.1 and Codex send it), got none; update the client";

interface EnabledHook {
  readonly hook: Hook;
  readonly mode: HookMode;
}

/**
 * Runs every enabled hook that listens to the event, each by itself: one that throws is an error in the answer and hinders no other. Without a
 * transcript there is nothing to judge.
 */
export function runHooks(event: HookEvent, payload: Payload, edge: Edge): HookRun {
  const { enabled, errors } = selectHooks(event, edge);
  if (enabled.length === 0 || payload.transcriptPath === undefined) return { ...nothing, errors };
  const transcript = resolve(payload.transcriptPath);
  const reading = readTranscript(event, transcript, edge);
  if (!reading.ok)
    return { ...nothing, errors: reading.reason === "absent" ? errors : [...errors, asError(reading.error)] };
  // What stands in the rest may answer what the digest so far asks: the next turn reads on.
  if (!reading.complete) return { ...nothing, errors };
  if (event === "Stop" && payload.reply === undefined)
    return { ...nothing, errors: [...errors, ...missReply(transcript, edge)] };
  let place: Place | undefined;
  const getPlace = (): Place => (place ??= makePlace(event, payload, transcript, edge));
  const runs = enabled.map((each) => runHook(each, event, payload, reading.digest, getPlace));
  return {
    said: runs.flatMap(({ said }) => said),
    errors: [...errors, ...runs.flatMap((run) => run.errors)],
    marks: runs.flatMap(({ marks }) => marks),
  };
}

function readTranscript(event: HookEvent, path: string, edge: Edge): DigestReading {
  const { adapter, fold, bundleHash, mayMatter, beforeLongRead, pause } = edge;
  const paths = getStatePaths(edge.env);
  const options = {
    ...(mayMatter === undefined ? {} : { mayMatter }),
    ...(beforeLongRead === undefined ? {} : { beforeLongRead }),
  };
  const read = (): DigestReading => readDigest({ path, adapter, fold, cacheDir: paths.cache, bundleHash, ...options });
  if (event !== "Stop") return read();
  return awaitResults(read(), {
    path,
    read,
    onceDir: paths.once,
    now: edge.now,
    ...(pause === undefined ? {} : { pause }),
  });
}

/** Told once a session. The transcript's tail is no substitute: it may lag behind the event. */
function missReply(transcript: string, { env, now }: Edge): HookError[] {
  const key = getTranscriptKey(transcript);
  const mark = { dir: getStatePaths(env).once, name: shortHash(`no-reply::${key}`), content: key };
  try {
    return createMark(mark, now) ? [{ hook: "edge", error: noReply }] : [];
  } catch (error) {
    return [{ hook: "edge", error }];
  }
}

function selectHooks(event: HookEvent, { env, hooks }: Edge): { enabled: readonly EnabledHook[]; errors: HookError[] } {
  const { settings, warning } = readHookSettings(getSettingsPath(env));
  const errors = warning === undefined ? [] : [{ hook: "settings", error: warning }];
  const enabled = hooks.flatMap((hook) => {
    if (!hook.events.includes(event)) return [];
    const { mode, warning } = getHookMode(hook.id, hook.defaultMode, env, settings);
    if (warning !== undefined) errors.push({ hook: hook.id, error: warning });
    return mode === "off" ? [] : [{ hook, mode }];
  });
  return { enabled, errors };
}

/** `getPlace` is called only when something is to be written: most turns have nothing to say. */
function runHook(
  { hook, mode }: EnabledHook,
  event: HookEvent,
  { harness, reply = "", cwd: told }: Payload,
  digest: Digest,
  getPlace: () => Place,
): HookRun {
  try {
    const cwd = told ?? digest.cwd;
    const place = cwd === undefined ? {} : { cwd };
    const outcome = hook.check({ harness, event, reply, ...place, digest, settings: { mode } });
    if (isEmpty(outcome)) return nothing;
    if (mode === "advise") {
      const { errors, ...applied } = applyOutcome(hook, outcome, getPlace());
      return { ...applied, errors: errors.map((error) => ({ hook: hook.id, error })) };
    }
    observeOutcome(hook, outcome, getPlace());
    return nothing;
  } catch (error) {
    return { ...nothing, errors: [{ hook: hook.id, error }] };
  }
}

function isEmpty({ advice, jobs, remember = [] }: HookOutcome): boolean {
  return advice.length + jobs.length + remember.length === 0;
}

function makePlace(event: HookEvent, payload: Payload, transcript: string, { env, now }: Edge): Place {
  const paths = getStatePaths(env);
  return {
    harness: payload.harness,
    event,
    transcript,
    realTranscript: realpathSync(transcript),
    transcriptKey: getTranscriptKey(transcript),
    ...(payload.sessionId === undefined ? {} : { sessionId: payload.sessionId }),
    ...(payload.turnId === undefined ? {} : { turnId: payload.turnId }),
    now,
    paths,
    markerDirs: getMarkerDirs(env),
    nonceOf: createFenceNonce(paths),
  };
}

function asError(error: string): HookError {
  return { hook: "transcript", error };
}
