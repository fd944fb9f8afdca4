import { parseCodexLine } from "../../lib/transcript/codex.ts";
import { type Digest, emptyDigest, type Fold } from "../../lib/transcript/digest.ts";
import { foldRow } from "../../lib/transcript/fold.ts";

export { exited, goesOn, rollout, type Rollout } from "../../cli/scenarios/tell/codex-rollout.ts";

/** The digest of a rollout's text, every line parsed. */
export function foldRollout(jsonl: string, fold: Fold): Digest {
  const lines = jsonl.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.reduce((digest, line) => foldRow(fold, digest, parseCodexLine(line)), emptyDigest);
}
