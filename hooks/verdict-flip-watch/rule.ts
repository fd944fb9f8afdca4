import { defineHook, type Advice, type EvidenceDraft, type HookInput, type HookOutcome } from "../../lib/hook.ts";
import { fillMessage } from "../../lib/render-message.ts";
import type { Run, TargetState } from "../../lib/transcript/digest.ts";
import { selectOwned } from "./acknowledges.ts";

const messages = {
  flipped:
    "`{target}` passed ({passed}), then failed ({failed}) and has not passed since. The failing run, `{command}`, ended with: {evidence}. The reply of turn {turn} does not say so.",
};

/** A target whose latest run failed although an earlier one passed. */
interface Flip {
  readonly state: TargetState;
  readonly pass: Run;
  readonly fail: Run;
}

export default defineHook({
  id: "verdict-flip-watch",
  description: "Reports a check that passed earlier in the session and fails now while the reply does not say so.",
  events: ["Stop"],
  defaultMode: "advise",
  messages,
  check,
});

function check({ reply, digest }: HookInput): HookOutcome {
  const flips = digest.targets.flatMap(toFlip);
  if (flips.length === 0) return { advice: [], jobs: [] };
  const owned = new Set(
    selectOwned(
      reply,
      flips.map(({ state }) => state.target),
    ),
  );
  const silent = flips.filter(({ state }) => !owned.has(state.target));
  return {
    advice: silent.map((flip) => adviseOn(flip, digest.turns)),
    jobs: silent.map((flip) => draftFor(flip, digest.turns)),
    remember: [...owned].map(({ key }) => key),
  };
}

function toFlip(state: TargetState): readonly Flip[] {
  const { pass, fail } = state;
  return pass !== undefined && fail !== undefined && fail.row > pass.row ? [{ state, pass, fail }] : [];
}

function adviseOn(flip: Flip, turn: number): Advice {
  return { messageId: "flipped", data: describe(flip, turn), evidence: [flip.pass, flip.fail], once: onceFor(flip) };
}

/** The agent is told the same words on its next prompt; no model is asked, since the transcript proves it. */
function draftFor(flip: Flip, turn: number): EvidenceDraft {
  const { state, pass, fail } = flip;
  return {
    ruleId: "verdict-flip-watch.flipped",
    answer: {
      flipped: true,
      target: state.target.label,
      passed: { turn: pass.turn, at: pass.at ?? null, command: pass.command },
      failed: { turn: fail.turn, at: fail.at ?? null, command: fail.command, evidence: fail.evidence },
    },
    hitIfAllTrue: ["flipped"],
    onHit: fillMessage(messages.flipped, describe(flip, turn)),
    once: onceFor(flip),
  };
}

function onceFor({ state }: Flip): { readonly key: string } {
  return { key: state.target.key };
}

function describe({ state, pass, fail }: Flip, turn: number): Readonly<Record<string, string>> {
  return {
    target: clip(state.target.label, 80),
    passed: describeTime(pass),
    failed: describeTime(fail),
    command: clip(fail.command, 100),
    evidence: fail.evidence === "" ? "a failing exit status" : clip(fail.evidence, 90),
    turn: String(turn),
  };
}

/** Such as "turn 3, 2026-11-30 14:35 UTC". */
function describeTime({ turn, at }: Run): string {
  const time = at === undefined ? undefined : /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/.exec(at);
  return time === null || time === undefined ? `turn ${turn}` : `turn ${turn}, ${time[1]} ${time[2]} UTC`;
}

function clip(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
