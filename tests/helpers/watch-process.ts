import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Env, StatePaths } from "../../lib/io/paths.ts";

const folder = mkdtempSync(join(tmpdir(), "catstack-watch-"));
const bundle = join(folder, "watch.mjs");
after(() => rmSync(folder, { recursive: true, force: true }));

/** A bundle starts four times as fast as the sources under tsx; these tests start many processes. */
const bundled = build({
  entryPoints: [fileURLToPath(new URL("watch-main.ts", import.meta.url))],
  outfile: bundle,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  mainFields: ["module", "main"],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface WatchProcess {
  readonly child: ChildProcess;
  /** Resolves when it says that it is ready. */
  readonly ready: Promise<void>;
  readonly exited: Promise<Exit>;
  readonly stdout: () => string;
}

/** Starts `catstack watch` on a state directory; killed after the test at the latest. */
export async function startWatch(
  t: TestContext,
  paths: StatePaths,
  { env = {}, args = [] }: { readonly env?: Env; readonly args?: readonly string[] } = {},
): Promise<WatchProcess> {
  await bundled;
  const child = spawn(process.execPath, [bundle, ...args], {
    env: { HOME: paths.root, CATSTACK_LLM_JUDGE_STATE_DIR: paths.root, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let stdout = "";
  const exited = new Promise<Exit>((resolve) => child.once("close", (code, signal) => resolve({ code, signal })));
  const ready = new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      if (stdout.includes("ready")) resolve();
    });
  });
  t.after(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  return { child, ready, exited, stdout: () => stdout };
}
