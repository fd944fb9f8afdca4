import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Env } from "../../lib/io/paths.ts";
import { makeTempDir } from "./fake-clis.ts";
import { waitFor } from "./wait-for.ts";

/** A model that answers "hit" once its gate is open, and writes down every run. */
export interface Gate {
  readonly env: Env;
  open(): void;
  countRuns(): number;
  /** Resolves when the first run has begun. */
  waitForRun(): Promise<void>;
}

export function makeGate(t: TestContext): Gate {
  const folder = makeTempDir(t);
  const runs = join(folder, "runs");
  const gate = join(folder, "gate");
  const script = `echo run >> ${runs}; while [ ! -e ${gate} ]; do sleep 0.05; done; echo '{"hit": true}'`;
  const countRuns = () => (existsSync(runs) ? readFileSync(runs, "utf8").split("\n").length - 1 : 0);
  return {
    env: {
      PATH: "/usr/bin:/bin",
      HOME: folder,
      CATSTACK_LLM_JUDGE_RUNNERS: JSON.stringify([["model", ["sh", "-c", script, "{prompt}"]]]),
    },
    open: () => writeFileSync(gate, ""),
    countRuns,
    async waitForRun() {
      await waitFor("a run", () => (countRuns() > 0 ? true : undefined));
    },
  };
}
