import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createStage } from "./demo/stage.ts";
import { playExcuse, playFlip } from "./demo/stories.ts";
import type { CliIo } from "./io.ts";
import { getDistDir } from "./setup/places.ts";

/**
 * `catstack demo`: two stories through the real hook, inbox, judge and delivery, in a scratch folder. Throws a Failure as soon as something
 * does not happen as it is told.
 */
export async function demo(args: readonly string[], io: CliIo): Promise<number> {
  const options = { real: { type: "boolean", default: false }, keep: { type: "boolean", default: false } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const root = mkdtempSync(join(tmpdir(), "catstack-demo-"));
  // Ctrl-C ends the program that is running, which ends the demo; this process still has to tidy up.
  const wait = (): void => {};
  process.on("SIGINT", wait);
  try {
    io.out("catstack demo: the session is made up; all that follows from it really happens, in a scratch folder.");
    const stage = createStage({ root, dist: getDistDir(import.meta.url), real: values.real, io });
    await playFlip(stage);
    await playExcuse(stage);
  } finally {
    process.off("SIGINT", wait);
    if (values.keep) io.out(`\nkept ${root}`);
    else rmSync(root, { recursive: true, force: true });
  }
  if (!values.keep) io.out("\nDone; the scratch folder is gone. To have this in your sessions: ./install.sh");
  return 0;
}
