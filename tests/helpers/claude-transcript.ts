import { findChecks } from "../../lib/commands/find-checks.ts";
import { getVerdicts } from "../../lib/commands/get-verdicts.ts";
import { findTreeMoves } from "../../lib/commands/tree-moves.ts";
import type { ParallelStep, RanStep, Step, ToolStep } from "../../lib/cases/story.ts";
import { parseClaudeLine } from "../../lib/transcript/claude.ts";
import { type Digest, emptyDigest, type Fold } from "../../lib/transcript/digest.ts";
import type { Entry } from "../../lib/transcript/entry.ts";
import { createFold, foldRow } from "../../lib/transcript/fold.ts";
import { type ClaudeRows, claudeRows } from "../../cli/scenarios/tell/claude-rows.ts";
import {
  getEndNotice,
  getInvocation,
  getRefusal,
  getResult,
  getToolResult,
  movedToBackground,
} from "../../cli/scenarios/tell/claude-texts.ts";

type RanOptions = Omit<RanStep, "ran" | "output">;

/** How the end of a background command is told; real sessions tell it in the queue and once more. */
export type EndNotice = "queue" | "attachment" | "prompt";

/** A session under construction. Every method adds rows and gives the same session back. */
export interface Transcript {
  user(text: string): Transcript;
  /** A slash command, by its name without the slash. */
  invoked(name: string, args?: string): Transcript;
  says(text: string): Transcript;
  ran(command: string, output?: string, options?: RanOptions): Transcript;
  parallel(runs: ParallelStep["parallel"]): Transcript;
  /** A command that did not run to its end: `why` is all that came back. */
  refused(command: string, why: string): Transcript;
  /** Starts a command in the background; `taskEnds` ends it. */
  background(command: string, options?: { readonly cwd?: string }): Transcript;
  /** Ends the latest background command that reads `command`. */
  taskEnds(command: string, exitCode?: number, notices?: readonly EndNotice[]): Transcript;
  tool(name: string, output: string, input?: object): Transcript;
  compaction(): Transcript;
  raw(row: object): Transcript;
  toJsonl(): string;
  /** What the adapter makes of it, row by row. */
  rows(): readonly (readonly Entry[])[];
  entries(): readonly Entry[];
}

/** An empty session. Ids are counted (`toolu_0001`, `task_0001`), rows are one second apart from 2026-01-01. */
export function transcript(): Transcript {
  const rows = claudeRows();
  const lines: string[] = [];
  let messages = 0;
  let calls = 0;
  const tasks: { command: string; callId: string; taskId: string }[] = [];

  const add = (row: object): void => void lines.push(JSON.stringify(row));
  const nextMessage = (): string => `msg_${String(++messages).padStart(4, "0")}`;
  const call = (messageId: string, name: string, input: object, cwd?: string): string => {
    const callId = `toolu_${String(++calls).padStart(4, "0")}`;
    const row = rows.block(messageId, { type: "tool_use", id: callId, name, input });
    add(cwd === undefined ? row : { ...row, cwd });
    return callId;
  };
  const start = (command: string, cwd: string | undefined): { callId: string; taskId: string } => {
    const callId = call(nextMessage(), "Bash", { command, run_in_background: true }, cwd);
    const taskId = `task_${String(tasks.length + 1).padStart(4, "0")}`;
    tasks.push({ command, callId, taskId });
    add(rows.result(callId, movedToBackground(taskId)));
    return { callId, taskId };
  };

  const session: Transcript = {
    user(text) {
      add(rows.prompt(text));
      return session;
    },
    invoked(name, args) {
      add(rows.prompt(getInvocation(name, args)));
      return session;
    },
    says(text) {
      add(rows.block(nextMessage(), { type: "text", text }));
      return session;
    },
    ran(command, output, options = {}) {
      if (options.background !== true) return session.parallel([{ ran: command, output: output ?? "", ...options }]);
      start(command, options.cwd);
      return options.noResult === true ? session : session.taskEnds(command, options.exitCode);
    },
    parallel(runs) {
      const messageId = nextMessage();
      const ids = runs.map(({ ran, cwd }) => call(messageId, "Bash", { command: ran }, cwd));
      for (const [i, run] of runs.entries()) if (run.noResult !== true) add(rows.result(ids[i] ?? "", getResult(run)));
      return session;
    },
    refused(command, why) {
      const callId = call(nextMessage(), "Bash", { command });
      add(rows.result(callId, getRefusal(why)));
      return session;
    },
    background(command, { cwd } = {}) {
      start(command, cwd);
      return session;
    },
    taskEnds(command, exitCode = 0, notices = ["queue", "attachment"]) {
      const task = tasks.findLast((other) => other.command === command);
      if (task === undefined) throw new Error(`expected a background command ${command}, got ${JSON.stringify(tasks)}`);
      const text = getEndNotice(task, exitCode);
      for (const notice of notices) add(noticeRows[notice](rows, text));
      return session;
    },
    tool(name, output, input = {}) {
      const callId = call(nextMessage(), name, input);
      add(rows.result(callId, getToolResult(output)));
      return session;
    },
    compaction() {
      add(rows.system("compact_boundary", { content: "Conversation compacted", compactMetadata: { trigger: "auto" } }));
      const text = "This session is being continued from a previous conversation. Summary: the tests were run.";
      add({ ...rows.prompt(text), isVisibleInTranscriptOnly: true, isCompactSummary: true });
      return session;
    },
    raw(row) {
      add(row);
      return session;
    },
    toJsonl: () => lines.map((line) => `${line}\n`).join(""),
    rows: () => lines.map((line) => parseClaudeLine(line) ?? []),
    entries: () => session.rows().flat(),
  };
  return session;
}

/** The session that a story tells. */
export function buildTranscript(steps: readonly Step[]): Transcript {
  return steps.reduce(addStep, transcript());
}

/** The digest of a story, as the hooks get it: parsed by the adapter, folded with the real verifier library. */
export function getDigest(steps: readonly Step[]): Digest {
  return foldJsonl(buildTranscript(steps).toJsonl(), createFold({ findChecks, getVerdicts, findTreeMoves }));
}

/** The digest of a transcript's text, every line parsed. */
export function foldJsonl(jsonl: string, fold: Fold): Digest {
  const lines = jsonl.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.reduce((digest, line) => foldRow(fold, digest, parseClaudeLine(line)), emptyDigest);
}

function addStep(session: Transcript, step: Step): Transcript {
  if ("user" in step) return session.user(step.user);
  if ("invoked" in step) return session.invoked(step.invoked, step.args);
  if ("ran" in step) return session.ran(step.ran, step.output, step);
  if ("parallel" in step) return session.parallel(step.parallel);
  if ("says" in step) return session.says(step.says);
  if ("raw" in step) return session.raw(step.raw);
  return addTool(session, step);
}

function addTool(session: Transcript, { tool, output, input }: ToolStep): Transcript {
  return session.tool(tool, output, input);
}

const noticeRows: Readonly<Record<EndNotice, (rows: ClaudeRows, text: string) => object>> = {
  queue: (rows, text) => rows.loose("queue-operation", { operation: "enqueue", content: text }),
  attachment: (rows, text) =>
    rows.attachment({ type: "queued_command", prompt: text, commandMode: "task-notification" }),
  prompt: (rows, text) => ({ ...rows.prompt(text), origin: { kind: "task-notification" } }),
};
