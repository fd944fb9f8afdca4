import { clipText } from "../../lib/cut-text.ts";
import type { Target } from "../../lib/commands/check.ts";
import { defineHook, type Advice, type EvidenceDraft, type HookInput, type HookOutcome } from "../../lib/hook.ts";
import { fillMessage } from "../../lib/outcome/render-message.ts";
import type { CheckRun } from "../../lib/transcript/digest.ts";
import { selectOwned } from "./acknowledges.ts";
import { findFlips, type Flip } from "./find-flips.ts";

const messages = {
  flipped:
    "`{target}` passed ({passed}), then failed ({failed}) and has not passed since. The failing run, `{command}`, showed: {evidence}. The reply of turn {turn} does not say so.",
};

export default defineHook({
  id: "verdict-flip-watch",
  description: "Reports a check that passed earlier in the session and fails now while the reply does not say so.",
  events: ["Stop"],
  defaultMode: "advise",
  messages,
  check,
});

/**
 * Which flips stand (`find-flips.ts`): an earlier pass has surely shown what fails now (`surely-covers.ts`), and no later one may have repaired it
 * (`may-cover.ts`). Which of them the reply owns (`acknowledges.ts`, clause by clause): it states a failure (`states-failure.ts` and what that imports) or takes
 * a status back (`takes-back.ts`), of this check (`names.ts`, `subject.ts`). Without a reply there is nothing that could be at odds with the record.
 */
function check({ reply, digest }: HookInput): HookOutcome {
  const flips = reply.trim() === "" ? [] : findFlips(digest);
  if (flips.length === 0) return { advice: [], jobs: [] };
  const targets = flips.map(({ target }) => target);
  const owned = new Set(selectOwned(reply, targets));
  const silent = flips.filter(({ target }) => !owned.has(target));
  return {
    advice: silent.map((flip) => adviseOn(flip, digest.turns)),
    jobs: silent.map((flip) => draftFor(flip, digest.turns)),
    remember: [...owned].map(({ key }) => key),
  };
}

function adviseOn(flip: Flip, turn: number): Advice {
  return {
    messageId: "flipped",
    data: describe(flip, turn),
    evidence: [flip.pass, flip.fail],
    once: { key: flip.target.key },
  };
}

/** The agent is told the same words on its next prompt; no model is asked, since the transcript proves it. */
function draftFor(flip: Flip, turn: number): EvidenceDraft {
  const { target, passedAs, pass, fail } = flip;
  return {
    ruleId: "verdict-flip-watch.flipped",
    answer: {
      flipped: true,
      target: target.label,
      passed: { target: passedAs.label, turn: pass.turn, at: pass.at ?? null, command: pass.command },
      failed: { turn: fail.turn, at: fail.at ?? null, command: fail.command, evidence: fail.evidence },
    },
    hitIfAllTrue: ["flipped"],
    onHit: fillMessage(messages.flipped, describe(flip, turn)),
    once: { key: target.key },
  };
}

function describe({ target, passedAs, pass, fail }: Flip, turn: number): Readonly<Record<string, string>> {
  return {
    target: clip(target.label, 70),
    passed: describeTime(pass) + describeWhole(target, passedAs),
    failed: describeTime(fail),
    command: clip(fail.command, 90),
    evidence: fail.evidence === "" ? "a failing exit status" : clip(fail.evidence, 80).replace(/\.$/, ""),
    turn: String(turn),
  };
}

function describeWhole(target: Target, passedAs: Target): string {
  return passedAs.key === target.key ? "" : `, as part of \`${clip(passedAs.label, 50)}\``;
}

/** Such as "turn 3, 2026-11-30 14:35 UTC". */
function describeTime({ turn, at }: CheckRun): string {
  const time = at === undefined ? undefined : /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/.exec(at);
  return time === null || time === undefined ? `turn ${turn}` : `turn ${turn}, ${time[1]} ${time[2]} UTC`;
}

function clip(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return clipText(line, length);
}
