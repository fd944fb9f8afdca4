import { defineHook, type Advice, type HookInput, type HookOutcome } from "../../lib/hook.ts";
import type { CheckRun, TargetState } from "../../lib/transcript/digest.ts";

export default defineHook({
  id: "_template",
  description: "Reports a check whose latest run failed while the reply does not name it.",
  events: ["Stop"],
  defaultMode: "observe",
  messages: { unnamed: "`{target}` failed in its latest run, and the reply of turn {turn} does not name it." },
  check,
});

/** Evidence alone decides: no model is asked. A reply that names a check is taken to tell how it ended. */
function check({ reply, digest }: HookInput): HookOutcome {
  if (reply.trim() === "") return { advice: [], jobs: [] };
  const failures = digest.targets.flatMap(findOpenFailure).filter(({ label }) => !reply.includes(label));
  return { advice: failures.map((failure) => adviseOn(failure, digest.turns)), jobs: [] };
}

interface OpenFailure {
  readonly key: string;
  readonly label: string;
  readonly run: CheckRun;
}

function findOpenFailure({ target: { key, label }, pass, fail }: TargetState): readonly OpenFailure[] {
  if (fail === undefined || (pass !== undefined && pass.row > fail.row)) return [];
  return [{ key, label, run: fail }];
}

function adviseOn({ key, label, run }: OpenFailure, turn: number): Advice {
  return {
    messageId: "unnamed",
    data: { target: label, turn: String(turn) },
    evidence: [run],
    once: { key },
  };
}
