import { parseRow } from "../../../lib/transcript/row.ts";
import type { CommandStep } from "../story-schema.ts";
import { exited, goesOn, rollout } from "./codex-rollout.ts";
import { getTask, toTyped, type SessionPlace, type Teller } from "./teller.ts";

/** The same session as Codex writes it. Rows are one second apart from 2026-01-01. */
export function createCodexTeller({ sessionId, cwd: startedIn }: SessionPlace): Teller {
  const session = rollout({ id: sessionId, cwd: startedIn });
  const tasks = new Map<string, number>();
  let taken = 0;
  let calls = 0;
  let cwd = startedIn;

  const nextId = (): string => `call_${++calls}`;
  const use = (name: string, args: object, output: string): void => {
    const id = nextId();
    session.call(id, name, args).output(id, output);
  };

  return {
    prompt: (user) => void session.user(toTyped(user)),
    says: (text) => void session.says(text),
    run(commands) {
      const ids = commands.map(nextId);
      for (const [i, { cmd }] of commands.entries()) session.call(ids[i] ?? "", "exec_command", { cmd, workdir: cwd });
      for (const [i, command] of commands.entries()) {
        if (command.exit !== "none") session.output(ids[i] ?? "", getOutput(command));
      }
    },
    start(command, name) {
      const task = tasks.size + 1;
      tasks.set(name, task);
      use("exec_command", { cmd: command, workdir: cwd }, goesOn(task, ""));
    },
    end: (name, exit, output) =>
      use("write_stdin", { session_id: getTask(tasks, name), chars: "" }, exited(exit, output)),
    edit: (file) => use("apply_patch", { path: file }, "Success. Updated the file."),
    useTool: use,
    enter: (folder) => void session.turn((cwd = folder)),
    compact: () => void session.raw({ type: "compacted", payload: { message: "The work went on." } }),
    resume() {
      for (const line of session.toJsonl().split("\n")) {
        const row = parseRow(line);
        if (row !== undefined) session.raw(row);
      }
    },
    row: (row) => void session.raw(row),
    takeRows() {
      const text = session.toJsonl();
      const rest = text.slice(taken);
      taken = text.length;
      return rest;
    },
  };
}

function getOutput({ cmd, output, exit }: CommandStep): string {
  if (typeof exit === "number") return exited(exit, output);
  if (exit === "refused") return `exec_command failed for \`/bin/bash -lc '${cmd}'\`: Rejected("rejected by user")`;
  return "aborted by user after 3.1s";
}
