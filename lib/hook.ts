import type { Digest, CheckRun } from "./transcript/digest.ts";

export type Harness = "claude" | "codex" | "cursor";
export type HookEvent = "Stop" | "UserPromptSubmit";
export type HookMode = "off" | "observe" | "advise";

/** What a rule may look at. */
export interface HookInput {
  readonly harness: Harness;
  readonly event: HookEvent;
  /** The assistant's last text, from the payload: the transcript may lag behind the event. */
  readonly reply: string;
  /** The folder that the session works in, where the harness tells it. */
  readonly cwd?: string;
  readonly digest: Digest;
  readonly settings: HookSettings;
}

/** One hook's own part of the settings file. */
export interface HookSettings {
  readonly mode: HookMode;
}

/** Say or ask it once: `key` names the thing judged within one transcript; absent `ttlSeconds` means for good. */
export interface Once {
  readonly key: string;
  readonly ttlSeconds?: number;
}

/** Something the person should hear now. `messageId` names a text of the hook's `messages`. */
export interface Advice {
  readonly messageId: string;
  readonly data: Readonly<Record<string, string>>;
  /** The runs that prove it; none where it is proven that no check ran. */
  readonly evidence: readonly CheckRun[];
  readonly once?: Once;
}

/** A question or a finding for the judge. It has no id, no time and no rendered prompt: the edge stamps those. */
export type JobDraft = QuestionDraft | EvidenceDraft;

interface JobDraftBase {
  readonly ruleId: string;
  readonly onHit: string;
  readonly hitIfAllTrue: readonly string[];
  readonly once?: Once;
}

/** Needs a model: the edge fences `texts` and puts `instruction` before them. */
export interface QuestionDraft extends JobDraftBase {
  /** Names each key of `hitIfAllTrue` in double quotes: there the edge seals it, so that a judged text cannot hold the answer. */
  readonly instruction: string;
  readonly texts: readonly JudgedText[];
  readonly quoted?: readonly string[];
  readonly mode?: "investigate";
  readonly timeoutSeconds?: number;
  readonly cwd?: string;
}

/** Already proven: the judge runs no model. Goes with an advice, so the person is not told a second time when the agent is. */
export interface EvidenceDraft extends JobDraftBase {
  readonly answer: Readonly<Record<string, unknown>>;
}

export interface JudgedText {
  readonly label: string;
  readonly text: string;
}

/**
 * What a rule decides. Plain data: same input, same outcome. An advice and a job with the same once key belong together:
 * the job is queued first, and both are left out once the key is marked.
 */
export interface HookOutcome {
  readonly advice: readonly Advice[];
  readonly jobs: readonly JobDraft[];
  /** Once keys to mark without saying anything, such as a flip the reply owns. */
  readonly remember?: readonly string[];
}

/** A unit in hooks/: one pure rule and what the edge must know about it. */
export interface Hook {
  /** The name of its folder, stable for ever: users' settings hold it. */
  readonly id: string;
  /** One sentence that begins with "Reports". */
  readonly description: string;
  readonly events: readonly HookEvent[];
  readonly defaultMode: HookMode;
  /** Texts by id; `{name}` is replaced by the advice's `data.name`. */
  readonly messages: Readonly<Record<string, string>>;
  /** Synchronous and total: no clock, no randomness, no file, and the input is never changed. */
  check(input: HookInput): HookOutcome;
}

/** Gives the hook back, checked by the compiler against `Hook`. */
export function defineHook(hook: Hook): Hook {
  return hook;
}
