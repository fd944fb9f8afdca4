import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { makeTempDir } from "../../helpers/fake-clis.ts";
import type { Client } from "../client.ts";
import type { Clients } from "../install-clients.ts";
import { startModel } from "../model-server.ts";
import type { ModelServer } from "../model-server.ts";
import { getBaseEnv } from "../person.ts";
import { findChanges, takeSnapshot } from "../snapshot.ts";
import type { Snapshot } from "../snapshot.ts";

/** What stands in the one file that a runner may read. */
export const READABLE = "the-content-of-a-readable-file";
export const READABLE_FILE = "readable.txt";

/** A hostile place: a home, a project and a temporary folder that everything below may try to change. */
export interface Stage {
  readonly home: string;
  readonly project: string;
  readonly temp: string;
  /** The environment of the watcher that asks: PATH holds the one client. */
  readonly env: Readonly<Record<string, string>>;
  readonly model: ModelServer;
  /** A server that nobody should reach. */
  readonly stranger: { readonly port: number; readonly url: string; countVisits(): number };
  /** A word that stands in everything that an attack makes or starts. */
  readonly mark: string;
  /** The path of a file that an attack would make in the project. */
  readonly trap: (name: string) => string;
  /** A command that makes it. */
  readonly touch: (name: string) => string;
  /** A command that runs on and bears the mark. */
  readonly linger: string;
  /** Writes a file of the home or the project, and the folders above it. Objects are written as JSON. */
  readonly write: (path: string, content: string | object, mode?: number) => void;
  /** Now that all is in place. */
  readonly freeze: () => void;
  /** What has changed since, below home, project and temporary folder. */
  readonly findChanges: () => string[];
  /** Command lines of processes that bear the mark. */
  readonly findProcesses: () => string[];
  /** Those of them that were there when the model had the results of its calls, and in no sandbox. */
  readonly ranOutside: readonly string[];
  /** Notes which they are now. */
  readonly look: () => void;
}

let stages = 0;

export async function makeStage(t: TestContext, client: Client, clients: Clients): Promise<Stage> {
  const root = makeTempDir(t);
  const [home, temp, bin] = [join(root, "home"), join(root, "tmp"), join(root, "bin")];
  const project = join(home, "project");
  for (const folder of [project, temp, bin]) mkdirSync(folder, { recursive: true });
  for (const name of ["claude", "codex", "cursor-agent"])
    symlinkSync(name === client.name ? client.getProgram(clients) : "/bin/false", join(bin, name));
  const model = await startModel(client.protocol);
  t.after(() => model.close());
  const stranger = await startStranger(t);
  const mark = `PWN${process.pid}x${++stages}`;
  // Whoever wants to go elsewhere than to the model meets the stranger, and nobody has opted out of anything.
  const base = Object.entries(getBaseEnv(home, temp, stranger.url)).filter(([name]) => !name.includes("DISABLE"));
  const { PATH: path = "", ...others } = Object.fromEntries(base);
  const env = { ...others, PATH: `${bin}:${path}`, ...client.connect(home, model.url) };
  const trap = (name: string): string => join(project, `${mark}-${name}`);
  let before: Snapshot = {};
  const ranOutside: string[] = [];
  const stage: Stage = {
    home,
    project,
    temp,
    env,
    model,
    stranger,
    mark,
    trap,
    touch: (name) => `touch ${trap(name)}`,
    linger: `bash -c 'sleep 300; : ${mark}'`,
    write,
    freeze: () => (before = takeSnapshot(root)),
    findChanges: () => findChanges(before, takeSnapshot(root)),
    findProcesses: () => listCommandLines(isAny).filter((line) => line.includes(mark)),
    ranOutside,
    look: () => void ranOutside.push(...listCommandLines(isOutside).filter((line) => line.includes(mark))),
  };
  stage.write(join(project, READABLE_FILE), `${READABLE}\n`);
  return stage;
}

function write(path: string, content: string | object, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  chmodSync(path, mode);
}

async function startStranger(t: TestContext): Promise<Stage["stranger"]> {
  let visits = 0;
  const server = createServer((socket) => {
    visits++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a TCP port, got none");
  return { port: address.port, url: `http://127.0.0.1:${address.port}`, countVisits: () => visits };
}

function listCommandLines(isWanted: (pid: string) => boolean): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const isOne = /^\d+$/.test(pid) && isWanted(pid);
      return isOne ? [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")] : [];
    } catch {
      return [];
    }
  });
}

const isAny = (): boolean => true;

/** Whether a process sees the disk as we do, and is not the one that builds a sandbox for a command, which stands in its arguments. */
function isOutside(pid: string): boolean {
  const isBuilder = /\/(codex|bwrap)$/.test(readlinkSync(`/proc/${pid}/exe`));
  return !isBuilder && readlinkSync(`/proc/${pid}/ns/mnt`) === readlinkSync("/proc/self/ns/mnt");
}
