import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Verdict } from "../../inbox-schema/verdict.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { transcript, transcriptKey } from "./queue.ts";

/** Puts a verdict into the outbox as if it had been made then: a hit by codex but for what `more` says. */
export function writeVerdictAt(paths: StatePaths, id: string, finished: Date, more: Partial<Verdict> = {}): void {
  const verdict: Verdict = {
    schema: 1,
    id,
    hook: "test",
    transcript,
    transcript_key: transcriptKey,
    outcome: "hit",
    on_hit: "say it",
    reason: "all true: hit",
    runner: "codex",
    mode: "default",
    answer: { hit: true },
    attempts: [{ runner: "codex", ok: true, reason: "answered", duration_ms: 1500 }],
    finished_at: finished.toISOString(),
    ...more,
  };
  const path = join(paths.outbox, `${id}.json`);
  writeFileSync(path, JSON.stringify(verdict), { mode: 0o600 });
  utimesSync(path, finished, finished);
}
