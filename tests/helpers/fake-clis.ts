import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { probeLiveness, readProcessIdentity } from "../../lib/io/process-identity.ts";
import { waitFor } from "./wait-for.ts";

const binDir = fileURLToPath(new URL("../../fixtures/bin/", import.meta.url));

/** A folder that serves as a PATH: it holds the named fakes, `node` for them to run with, and nothing of this machine. */
export interface FakeClis {
  readonly path: string;
  /** What a fake left beside its name, such as `<name>.json`; undefined while it is not there or not whole. */
  find(file: string): unknown;
  /** The processes that a fake says it is or has started, once it has said so. */
  waitForPids(name: string): Promise<number[]>;
}

/** Links each name to the fake of `fixtures/bin` that it is to be: `{ codex: "hangs" }`. Gone after the test. */
export function installFakes(t: TestContext, fakes: Readonly<Record<string, string>>): FakeClis {
  const path = makeTempDir(t);
  symlinkSync(process.execPath, join(path, "node"));
  for (const [name, fake] of Object.entries(fakes)) symlinkSync(join(binDir, `${fake}.mjs`), join(path, name));
  const find = (file: string): unknown => {
    try {
      return JSON.parse(readFileSync(join(path, file), "utf8"));
    } catch {
      return undefined;
    }
  };
  return {
    path,
    find,
    waitForPids: (name) =>
      waitFor(`${name}.pids`, () => {
        const pids = find(`${name}.pids`);
        return Array.isArray(pids) ? pids.map(Number) : undefined;
      }),
  };
}

/** A fresh folder with no symbolic link in its path. Gone after the test. */
export function makeTempDir(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "catstack-test-")));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Whether a process of that number does anything: a zombie does not. */
export function isRunning(pid: number): boolean {
  const identity = readProcessIdentity(pid);
  return identity !== undefined && probeLiveness(identity) === "alive";
}
