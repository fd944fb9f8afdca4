import type { Harness, HookEvent } from "../hook.ts";
import type { Step } from "./story.ts";

/**
 * The cases of a hook: sessions told as plain data, and what the rule makes of them. `silent` says and asks nothing, `advises` says
 * something, `enqueues` asks or tells the judge something; a case that does both stands in either.
 */
export interface Cases {
  readonly silent: readonly Case[];
  readonly advises: readonly Case[];
  readonly enqueues: readonly Case[];
}

export interface Case {
  /** A sentence, unique within the hook. Known limits begin with "known limit: ". */
  readonly name: string;
  readonly steps: readonly Step[];
  /** The assistant's last text, as the harness hands it over. */
  readonly reply: string;
  /** Default: the first event that the hook listens to. */
  readonly event?: HookEvent;
  /** Default "claude". The steps make the same digest for every harness. */
  readonly harness?: Harness;
  /** The folder of the session as the harness tells it; default: that of the digest. */
  readonly cwd?: string;
  /** Of a silent case: the firing cases of this hook that it nearly is. Every firing case has a silent one beside it. */
  readonly nearMissOf?: string | readonly string[];
  readonly expect?: Expectation;
}

/** What an outcome must hold. A list that is given must fit as a whole and in order; of an object, only the keys that are given. */
export interface Expectation {
  readonly advice?: readonly { readonly messageId: string; readonly data?: Readonly<Record<string, string>> }[];
  readonly jobs?: readonly ExpectedJob[];
  /** Labels of the targets that are marked without a word. */
  readonly remembers?: readonly string[];
}

/** What a job draft must hold; keys as of `JobDraft`. */
export interface ExpectedJob {
  readonly ruleId: string;
  readonly onHit?: string;
  readonly once?: { readonly key?: string; readonly ttlSeconds?: number };
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly texts?: readonly { readonly label?: string; readonly text?: string }[];
  readonly mode?: "investigate";
  readonly timeoutSeconds?: number;
  readonly cwd?: string;
}
