import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Payload } from "../harness/payload.ts";
import type { Hook, HookEvent, HookMode } from "../hook.ts";
import type { HookError } from "../render-error.ts";
import { getHookMode } from "../settings.ts";
import type { Adapter } from "../transcript/adapter.ts";
import type { Digest, Fold } from "../transcript/digest.ts";
import { applyOutcome, observeOutcome, type Place } from "./apply-outcome.ts";
import { createFenceNonce } from "./fence-key.ts";
import { getFlipMarkerDir, getSettingsPath, getStatePaths, type Env } from "./paths.ts";
import { readDigest } from "./read-transcript.ts";
import { readHookSettings } from "./settings.ts";
import { getTranscriptKey } from "./transcript-key.ts";

/** What the process edge knows that no payload tells. */
export interface Edge {
  readonly env: Env;
  readonly now: Date;
  readonly hooks: readonly Hook[];
  readonly adapter: Adapter;
  readonly fold: Fold;
  /** Names this build: digests that another build has folded are folded anew. */
  readonly bundleHash: string;
}

export interface HookRun {
  /** What the person is to hear, one text each. */
  readonly said: readonly string[];
  readonly errors: readonly HookError[];
}

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
  if (enabled.length === 0 || payload.transcriptPath === undefined) return { said: [], errors };
  const transcript = resolve(payload.transcriptPath);
  const paths = getStatePaths(edge.env);
  const { adapter, fold, bundleHash } = edge;
  const reading = readDigest({ path: transcript, adapter, fold, cacheDir: paths.cache, bundleHash });
  if (!reading.ok)
    return { said: [], errors: reading.reason === "absent" ? errors : [...errors, asError(reading.error)] };
  const place: Place = {
    harness: payload.harness,
    event,
    transcript,
    realTranscript: realpathSync(transcript),
    transcriptKey: getTranscriptKey(transcript),
    ...(payload.sessionId === undefined ? {} : { sessionId: payload.sessionId }),
    ...(payload.turnId === undefined ? {} : { turnId: payload.turnId }),
    now: edge.now,
    paths,
    flipDir: getFlipMarkerDir(edge.env),
    nonceOf: createFenceNonce(paths),
  };
  const runs = enabled.map((each) => runHook(each, event, payload.reply ?? "", reading.digest, place));
  return { said: runs.flatMap(({ said }) => said), errors: [...errors, ...runs.flatMap((run) => run.errors)] };
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

function runHook({ hook, mode }: EnabledHook, event: HookEvent, reply: string, digest: Digest, place: Place): HookRun {
  try {
    const outcome = hook.check({ harness: place.harness, event, reply, digest, settings: { mode } });
    if (mode === "advise") return { said: applyOutcome(hook, outcome, place), errors: [] };
    observeOutcome(hook, outcome, place);
    return { said: [], errors: [] };
  } catch (error) {
    return { said: [], errors: [{ hook: hook.id, error }] };
  }
}

function asError(error: string): HookError {
  return { hook: "transcript", error };
}
