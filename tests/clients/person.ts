import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { makeTempDir } from "../helpers/fake-clis.ts";
import { findProcessesWith } from "../helpers/proc.ts";
import { waitFor } from "../helpers/wait-for.ts";
import type { Client, Session } from "./client.ts";
import type { Clients } from "./install-clients.ts";
import { startModel } from "./model-server.ts";
import type { ModelRequest, ModelServer, Scripts, Step } from "./model-server.ts";
import { runProgram } from "./program.ts";
import type { Ran } from "./program.ts";
import { openTerminal } from "./terminal.ts";
import type { Terminal } from "./terminal.ts";

export interface Turn extends Ran {
  /** What the model was sent, in order. */
  readonly requests: readonly ModelRequest[];
}

/** Somebody with a home of their own, a project in it, and one of the clients. */
export interface Person {
  readonly client: Client;
  readonly home: string;
  readonly project: string;
  readonly model: ModelServer;
  /** What turns without a screen have printed. */
  readonly printed: readonly string[];
  /** The whole environment of what they start. */
  readonly env: Readonly<Record<string, string>>;
  /** Makes a file of the project and the folders above it. */
  write(name: string, text: string, mode?: number): void;
  /** One turn with the client; the model says what the scripts tell. */
  turn(prompt: string, scripts: Scripts, options?: TurnOptions): Promise<Turn>;
  /** A turn of a new session for each prompt, all at once. */
  turns(prompts: readonly string[], scripts: Scripts): Promise<readonly Ran[]>;
  /** Sits down at the client's screen. */
  sit(env?: Readonly<Record<string, string>>): Terminal;
  /** The id of the session whose transcript holds the text. */
  findSession(text: string): string;
  /** All transcripts of the client's, as texts by path. */
  readTranscripts(): Readonly<Record<string, string>>;
  /** A step that is taken when a transcript holds the text once more than now. */
  onceOnDisk(text: string, step: Step): () => Promise<Step>;
}

export interface TurnOptions {
  readonly session?: Session;
  /** As a person calls it, and no program: Claude Code prints the reply alone. */
  readonly isPlain?: true;
  readonly env?: Readonly<Record<string, string>>;
}

/** In a fresh folder; or the same person as another, who uses this client as well. */
export async function makePerson(t: TestContext, client: Client, clients: Clients, same?: Person): Promise<Person> {
  // First: what a client has left running, such as Codex's daemon, would go on writing into the folder while it is removed.
  t.after(() => endProcessesOf(home));
  const root = same === undefined ? makeTempDir(t) : dirname(same.home);
  const [home, project, temp] = [join(root, "home"), join(root, "home", "project"), join(root, "tmp")];
  for (const folder of [project, temp]) mkdirSync(folder, { recursive: true });
  const model = await startModel(client.protocol);
  t.after(() => model.close());
  const env = { ...getBaseEnv(home, temp), ...client.connect(home, model.url) };
  const printed: string[] = [];
  const transcripts = join(home, client.transcripts);
  const readTranscripts = () =>
    Object.fromEntries(
      (existsSync(transcripts) ? readdirSync(transcripts, { recursive: true, encoding: "utf8" }) : [])
        .filter((name) => name.endsWith(".jsonl"))
        .map((name) => [name, readFileSync(join(transcripts, name), "utf8")]),
    );
  const run = async (prompt: string, { session, isPlain, env: more = {} }: TurnOptions = {}): Promise<Ran> => {
    const argv = [client.getProgram(clients), ...client.getTurnArgs(prompt, session, isPlain)];
    const ran = await runProgram(t, argv, { cwd: project, env: { ...env, ...more } });
    printed.push(ran.stdout, ran.stderr);
    return ran;
  };
  return {
    client,
    home,
    project,
    model,
    env,
    printed,
    readTranscripts,
    sit(more = {}) {
      client.makeAtHome(home, project);
      const argv = [client.getProgram(clients), ...client.screenArgs];
      return openTerminal(join(temp, "tmux"), argv, { cwd: project, env: { ...env, ...more } });
    },
    write(name, text, mode = 0o644) {
      const path = join(project, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      chmodSync(path, mode);
    },
    async turn(prompt, scripts, options) {
      const before = model.requests.length;
      model.play(scripts);
      const ran = await run(prompt, options);
      return { ...ran, requests: model.requests.slice(before) };
    },
    turns(prompts, scripts) {
      model.play(scripts);
      return Promise.all(prompts.map((prompt) => run(prompt)));
    },
    findSession(text) {
      const [name = ""] = Object.entries(readTranscripts()).find(([, transcript]) => transcript.includes(text)) ?? [];
      const id = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(name)?.[1];
      if (id === undefined) throw new Error(`expected a transcript that holds "${text}", got none`);
      return id;
    },
    onceOnDisk(text, step) {
      const count = () => Object.values(readTranscripts()).join("\n").split(text).length;
      const before = count();
      return async () => {
        await waitFor(`a transcript that holds "${text}" anew`, () => count() > before || undefined);
        return step;
      };
    },
  };
}

/** What was started with that home in its environment. */
async function endProcessesOf(home: string): Promise<void> {
  await waitFor("the end of what was started", () => {
    const pids = findProcessesWith(`HOME=${home}`);
    for (const pid of pids) end(pid);
    return pids.length === 0 || undefined;
  });
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Nobody answers there: what wants to go elsewhere than to 127.0.0.1 fails at once, with and without a namespace. */
const NOWHERE = "http://127.0.0.1:9";

/** An allow-list: nothing of the tester's own account or keys. */
export function getBaseEnv(home: string, temp: string, proxy = NOWHERE): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    TMPDIR: temp,
    LANG: "C.UTF-8",
    TERM: "dumb",
    SHELL: "/bin/bash",
    USER: "someone",
    HTTPS_PROXY: proxy,
    https_proxy: proxy,
    HTTP_PROXY: proxy,
    NO_PROXY: "127.0.0.1",
    no_proxy: "127.0.0.1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}
