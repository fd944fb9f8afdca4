import type { Hook } from "../../lib/hook.ts";
import { createTurnChecker, type CheckedTurn } from "./check-turn.ts";
import type { SessionResult } from "./firing.ts";
import { readTurns, type OnTurn } from "./read-turns.ts";

interface CheckOptions {
  /** Sees each turn with its digest. */
  readonly onTurn?: (checked: CheckedTurn) => void;
  readonly signal?: AbortSignal;
}

/** What the hooks would have done in a session, from a single reading of its file. Rejects as `readTurns`. */
export async function checkSession(
  path: string,
  hooks: readonly Hook[],
  { onTurn, signal }: CheckOptions = {},
): Promise<SessionResult> {
  const check = createTurnChecker(hooks);
  const turns: SessionResult["turns"][number][] = [];
  const firings: SessionResult["firings"][number][] = [];
  const failures: SessionResult["failures"][number][] = [];
  const visit: OnTurn = (harness, turn) => {
    const checked = check(harness, turn);
    turns.push(turn.at ?? null);
    firings.push(...checked.fired.map(({ firing }) => firing));
    failures.push(...checked.failures);
    onTurn?.(checked);
  };
  const reading = await readTurns(path, visit, signal);
  return { ...reading, turns, firings, failures };
}
