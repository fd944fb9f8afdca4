// npm run bench [-- --json]: what the hooks and the verifier library cost, as ratios to an empty Node process, and how fast a job is claimed, beside the budgets.
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { getLauncher } from "../../cli/setup/launcher.ts";
import { formatFigure, isMet, type Figure } from "../helpers/figures.ts";
import { distDir, runCatstack } from "../helpers/run-command.ts";
import { measureClassify } from "./classify.ts";
import { writeRollout } from "./make-rollout.ts";
import { writeTranscript } from "./make-transcript.ts";
import { measure } from "./measure.ts";
import type { Subject } from "./measure.ts";
import { measureQueue } from "./queue.ts";

const ROUNDS = 15;
const SESSIONS = [
  { harness: "claude", write: writeTranscript, megabytes: 1 },
  { harness: "claude", write: writeTranscript, megabytes: 10 },
  { harness: "claude", write: writeTranscript, megabytes: 50 },
  { harness: "codex", write: writeRollout, megabytes: 50 },
] as const;
type Session = (typeof SESSIONS)[number];
const EMPTY = "empty Node process";

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const folder = mkdtempSync(join(tmpdir(), "catstack-bench-"));
try {
  const figures = [...measureClassify(), ...(await measureHooks(folder)), ...(await measureQueue())];
  console.log(values.json ? JSON.stringify(figures, undefined, 2) : figures.map(formatFigure).join("\n"));
  if (!figures.every(isMet)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureHooks(root: string): Promise<Figure[]> {
  const home = join(root, "home");
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, CATSTACK_LLM_JUDGE_STATE_DIR: join(root, "state") };
  const installed = await runCatstack(["install", "--only", "claude"], { env });
  if (installed.code !== 0) throw new Error(installed.stderr);
  execFileSync(process.execPath, [join(distDir, "..", "build.mjs"), "--package", join(root, "package")]);
  const subjects: Subject[] = [{ name: EMPTY, args: [process.execPath, "-e", "0"], env }];
  for (const session of SESSIONS) {
    const { stdin, appendTurn } = makeSession(root, session);
    const hook = [process.execPath, join(distDir, "hook.mjs"), session.harness];
    const name = `Stop, ${session.harness === "codex" ? "Codex, " : ""}${session.megabytes} MB`;
    const forget = (): void => rmSync(join(root, "state", "cache"), { recursive: true, force: true });
    subjects.push(
      { name: `${name}, first sight`, args: hook, env, stdin, prepare: forget },
      // What a turn adds is read and folded; the rest comes from the cache.
      { name: `${name}, seen before`, args: hook, env, stdin, prepare: appendTurn },
    );
    const packaged = [process.execPath, join(root, "package", "start.cjs"), session.harness];
    subjects.push({ name: `${name}, as a package, seen before`, args: packaged, env, stdin, prepare: appendTurn });
    if (session.harness !== "claude") continue;
    const args = ["/bin/sh", "-c", getLauncher("claude")];
    subjects.push({ name: `${name}, seen before, as installed`, args, env, stdin, prepare: appendTurn });
  }
  const costs = measure(subjects, ROUNDS);
  const empty = costs.get(EMPTY);
  if (empty === undefined) throw new Error("expected the cost of an empty process, got none");
  return [...costs].flatMap(([name, { cpu, wall }]): Figure[] => {
    if (name === EMPTY) return [];
    const budget = findBudget(name);
    return [
      { name: `${name}: CPU`, value: cpu / empty.cpu, unit: "x", ...(budget === undefined ? {} : { budget }) },
      { name: `${name}: wall`, value: wall / empty.wall, unit: "x" },
    ];
  });
}

/** CPU of the hook process as a multiple of an empty one. */
function findBudget(name: string): number | undefined {
  if (name.endsWith("seen before")) return 1.5;
  return name.endsWith("50 MB, first sight") ? 4 : undefined;
}

/** A session of that size, the payload of its Stop event, and a way to let it grow by one turn. */
function makeSession(root: string, session: Session): { stdin: string; appendTurn: () => void } {
  const { harness, write, megabytes } = session;
  const id = `${harness}-${megabytes}`;
  const transcript = join(root, `${id}.jsonl`);
  const stdin = join(root, `${id}.payload.json`);
  write(transcript, megabytes, { seed: megabytes });
  const turn = `${readFileSync(transcript, "utf8").trimEnd().split("\n").slice(-20).join("\n")}\n`;
  const payload = {
    session_id: id,
    transcript_path: transcript,
    cwd: root,
    hook_event_name: "Stop",
    stop_hook_active: false,
    last_assistant_message: "The parser returns every token.",
  };
  writeFileSync(stdin, JSON.stringify(payload));
  return { stdin, appendTurn: () => appendFileSync(transcript, turn) };
}
