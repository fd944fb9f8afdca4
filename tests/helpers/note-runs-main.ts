// node note-runs-main.ts STATE_DIR COUNT: notes so many runs of one event. Between two of them the other writers have their turn, as between two processes.
import { setImmediate } from "node:timers/promises";
import { noteRun } from "../../lib/io/edge/run-log.ts";
import { getStatePaths } from "../../lib/io/paths.ts";

const [root, count] = process.argv.slice(2);
const paths = getStatePaths({ CATSTACK_LLM_JUDGE_STATE_DIR: root });
for (let run = 0; run < Number(count); run++) {
  noteRun(paths, { harness: "claude", event: "Stop", at: new Date(), durationMs: 1, errors: [] });
  for (let pause = 0; pause < 50; pause++) await setImmediate();
}
