import { cutText } from "../../lib/cut-text.ts";
import type { Advice, Harness, Hook, HookInput, JobDraft, QuestionDraft } from "../../lib/hook.ts";
import type { OnceGroup } from "../../lib/outcome/group-once.ts";
import { fillMessage } from "../../lib/outcome/render-message.ts";
import { toPlainLine } from "../../lib/plain-line.ts";
import { shortHash } from "../../lib/io/transcript-key.ts";
import { redactSecrets } from "../../lib/redact/redact-secrets.ts";
import type { Asking, Firing, HookFailure } from "./firing.ts";
import { createOnceMemory } from "./once-memory.ts";
import type { Turn } from "./turn-finder.ts";

/** What the hooks make of one turn. */
export interface CheckedTurn {
  readonly turn: Turn;
  readonly fired: readonly Fired[];
  readonly failures: readonly HookFailure[];
}

export interface Fired {
  readonly firing: Firing;
  /** What it would ask a model, in the order of `firing.asks`. */
  readonly questions: readonly QuestionDraft[];
}

const MAX_SAID = 1000;
const MAX_ABOUT = 200;
/** No more of a text is redacted: what is shown of it is much less. */
const MAX_LOOK = 4096;

/**
 * Asks every hook at the end of each turn of one transcript what it would do, in mode `advise`: turns come in their order, and what a hook has said is not
 * said again. One that throws hinders no other.
 */
export function createTurnChecker(hooks: readonly Hook[]): (harness: Harness, turn: Turn) => CheckedTurn {
  const known = hooks.map((hook) => ({ hook, memory: createOnceMemory() }));
  let now = 0;
  return (harness, turn) => {
    const time = turn.at === undefined ? Number.NaN : Date.parse(turn.at);
    now = Number.isNaN(time) ? now : time;
    const fired: Fired[] = [];
    const failures: HookFailure[] = [];
    for (const { hook, memory } of known) {
      try {
        const groups = memory.take(hook.check(toInput(harness, turn)), now);
        if (groups.length > 0) fired.push(toFired(hook, turn, groups));
      } catch (error) {
        failures.push({ hook: hook.id, turn: turn.number, message: toShown(String(error), MAX_ABOUT) });
      }
    }
    return { turn, fired, failures };
  };
}

function toInput(harness: Harness, { reply, cwd, digest }: Turn): HookInput {
  const place = cwd === undefined ? {} : { cwd };
  return { harness, event: "Stop", reply, ...place, digest, settings: { mode: "advise" } };
}

function toFired(hook: Hook, { number, at, reply }: Turn, groups: readonly OnceGroup[]): Fired {
  const advice = groups.flatMap((group) => group.advice);
  const jobs = groups.flatMap((group) => group.jobs);
  const questions = jobs.filter(isQuestion);
  const says = advice.map((each) => toShown(renderAdvice(hook, each), MAX_SAID));
  const firing = {
    hook: hook.id,
    turn: number,
    at: at ?? null,
    rules: [...new Set([...advice.map(({ messageId }) => messageId), ...jobs.map(({ ruleId }) => ruleId)])],
    says,
    asks: questions.map((question) => toAsking(question, reply)),
    things: groups.map(({ once, ...group }) => shortHash(once?.key ?? JSON.stringify(group))),
  };
  return { firing, questions };
}

function isQuestion(draft: JobDraft): draft is QuestionDraft {
  return "instruction" in draft;
}

function renderAdvice({ id, messages }: Hook, { messageId, data }: Advice): string {
  const message = messages[messageId];
  if (message === undefined) throw new Error(`expected a message ${messageId} in hook ${id}, got none; add it`);
  return fillMessage(message, data);
}

function toAsking(draft: QuestionDraft, reply: string): Asking {
  const texts = draft.texts.map(({ text }) => text);
  const about = texts.find((text) => reply.includes(text.slice(0, MAX_ABOUT))) ?? texts.at(-1) ?? "";
  return { mode: draft.mode ?? "default", about: toShown(about.slice(0, MAX_LOOK), MAX_ABOUT) };
}

/** One line that may be shown: redacted before it is cut. */
function toShown(text: string, length: number): string {
  return cutText(toPlainLine(redactSecrets(text)), length);
}
