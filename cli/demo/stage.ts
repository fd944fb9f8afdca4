import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Verdict } from "../../inbox-schema/verdict.ts";
import { parseVerdict } from "../../inbox-schema/parse-verdict.ts";
import { getStatePaths } from "../../lib/io/paths.ts";
import type { Env, StatePaths } from "../../lib/io/paths.ts";
import { Failure } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { getDemoSession } from "./session.ts";
import type { DemoSession } from "./session.ts";

const WIDTH = 100;

/** Where the demo plays: a scratch home with a project, a session and a state directory of its own. */
export interface Stage {
  readonly session: DemoSession;
  readonly paths: StatePaths;
  readonly now: Date;
  /** Who is asked where a model is needed. */
  readonly runnerNote: string;
  /** Writes a file of the scratch home, and the folders above it. */
  write(path: string, text: string): void;
  append(path: string, text: string): void;
  /** Runs one of our built programs with the text on its stdin. Throws a Failure when it does not end in exit 0. */
  run(name: "hook.mjs" | "catstack.mjs", args: readonly string[], stdin?: string): Promise<string>;
  /** Starts the real watcher; it judges what is waiting and ends. */
  judge(): Promise<void>;
  readVerdict(id: string): Verdict;
  step(title: string): void;
  show(label: string, text: string): void;
  quote(text: string): void;
}

export interface StageOptions {
  readonly root: string;
  readonly dist: string;
  readonly real: boolean;
  readonly io: CliIo;
}

export function createStage({ root, dist, real, io }: StageOptions): Stage {
  const home = join(root, "home");
  const session = getDemoSession(home);
  const states = {
    CATSTACK_LLM_JUDGE_STATE_DIR: join(root, "state"),
    VERDICT_FLIP_WATCH_STATE_DIR: join(root, "markers"),
  };
  const scratchEnv: Env = { PATH: io.env["PATH"], HOME: home, TMPDIR: io.env["TMPDIR"], ...states };
  const standIn = JSON.stringify([["stand-in", [process.execPath, join(dist, "stand-in.mjs"), "{prompt}"]]]);
  const judgeEnv: Env = real ? { ...io.env, ...states } : { ...scratchEnv, CATSTACK_LLM_JUDGE_RUNNERS: standIn };
  let steps = 0;

  const run = (name: string, args: readonly string[], env: Env, stdin = ""): Promise<string> =>
    runNode([join(dist, name), ...args], { env, cwd: session.project, stdin });
  const stage: Stage = {
    session,
    paths: getStatePaths(states),
    now: io.now(),
    runnerNote: real
      ? "your own codex or claude"
      : "a stand-in for a model CLI, a script that reads the file (--real asks your own codex or claude)",
    write(path, text) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    },
    append: appendFileSync,
    run: (name, args, stdin) => run(name, args, scratchEnv, stdin),
    async judge() {
      await run("catstack.mjs", ["watch", "--once"], judgeEnv);
    },
    readVerdict(id) {
      const path = join(stage.paths.outbox, `${id}.json`);
      const parsed = parseVerdict(readFileSync(path, "utf8"));
      if (!parsed.ok) throw new Failure(`expected a verdict in ${path}, got: ${parsed.reason}`);
      return parsed.verdict;
    },
    step(title) {
      const number = `${++steps}.`;
      io.out(`\n${io.color ? `\u001B[1m${number} ${title}\u001B[22m` : `${number} ${title}`}`);
    },
    show: (label, text) => io.out(`   ${label.padEnd(8)} ${text}`),
    quote: (text) => wrap(text).forEach((line) => io.out(`   | ${line}`)),
  };
  return stage;
}

interface NodeOptions {
  readonly env: Env;
  readonly cwd: string;
  readonly stdin: string;
}

/** Runs Node to its end and gives its stdout. */
function runNode(args: readonly string[], { env, cwd, stdin }: NodeOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, cwd });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    // A process that ends early does not read its input.
    child.stdin.on("error", () => {});
    child.stdin.end(stdin);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolve(stdout);
      else reject(new Failure(`expected ${args.join(" ")} to end in exit 0, got ${code ?? signal}: ${stderr.trim()}`));
    });
  });
}

/** Lines of at most `WIDTH` characters, broken at spaces. */
function wrap(text: string): string[] {
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line) => line.match(new RegExp(`.{1,${WIDTH}}(?:\\s|$)|.{1,${WIDTH}}`, "g")) ?? [""])
    .map((line) => line.trimEnd());
}
