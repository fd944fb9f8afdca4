import type { Hook } from "../../lib/hook.ts";
import { createTurnChecker, type CheckedTurn } from "./check-turn.ts";
import type { SessionResult } from "./firing.ts";
import { readTurns } from "./read-turns.ts";

/** What the hooks would have done in a session, from a single reading of its file. `onTurn` sees each turn with its digest. Throws as `readTurns`. */
export function checkSession(
  path: string,
  hooks: readonly Hook[],
  onTurn: (checked: CheckedTurn) => void = () => {},
): SessionResult {
  const check = createTurnChecker(hooks);
  const turns: SessionResult["turns"][number][] = [];
  const firings: SessionResult["firings"][number][] = [];
  const failures: SessionResult["failures"][number][] = [];
  const reading = readTurns(path, (harness, turn) => {
    const checked = check(harness, turn);
    turns.push(turn.at ?? null);
    firings.push(...checked.fired.map(({ firing }) => firing));
    failures.push(...checked.failures);
    onTurn(checked);
  });
  return { ...reading, turns, firings, failures };
}
