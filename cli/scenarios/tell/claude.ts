import { claudeRows } from "./claude-rows.ts";
import {
  type ClaudeTask,
  getEndNotice,
  getInvocation,
  getRefusal,
  getResult,
  getToolResult,
  movedToBackground,
  refusals,
} from "./claude-texts.ts";
import { getTask, type SessionPlace, type Teller } from "./teller.ts";

/** A session in the rows of Claude Code 2.1.197. Ids are counted, and rows are one second apart from 2026-01-01. */
export function createClaudeTeller({ sessionId, cwd: startedIn }: SessionPlace): Teller {
  const rows = claudeRows(startedIn);
  const lines: string[] = [];
  const tasks = new Map<string, ClaudeTask>();
  let taken = 0;
  let messages = 0;
  let calls = 0;
  let cwd = startedIn;

  const add = (row: object): void => void lines.push(JSON.stringify({ ...row, sessionId }));
  const nextMessage = (): string => `msg_${++messages}`;
  const say = (block: object, messageId = nextMessage()): void => add({ ...rows.block(messageId, block), cwd });
  const call = (name: string, input: object, messageId?: string): string => {
    const id = `toolu_${++calls}`;
    say({ type: "tool_use", id, name, input }, messageId);
    return id;
  };

  const teller: Teller = {
    prompt: (user) =>
      add({ ...rows.prompt(typeof user === "string" ? user : getInvocation(user.invoked, user.args)), cwd }),
    says: (text) => say({ type: "text", text }),
    run(commands) {
      const messageId = nextMessage();
      const ids = commands.map(({ cmd }) => call("Bash", { command: cmd }, messageId));
      for (const [i, { exit, output }] of commands.entries()) {
        if (exit === "none") continue;
        const result = typeof exit === "number" ? getResult({ output, exitCode: exit }) : getRefusal(refusals[exit]);
        add(rows.result(ids[i] ?? "", result));
      }
    },
    start(command, name) {
      const task = { callId: call("Bash", { command, run_in_background: true }), taskId: `task_${tasks.size + 1}` };
      tasks.set(name, task);
      add(rows.result(task.callId, movedToBackground(task.taskId)));
    },
    /** Real sessions tell it in the queue and once more; what was printed stands in a file of the client's. */
    end(name, exit) {
      const prompt = getEndNotice(getTask(tasks, name), exit);
      add(rows.loose("queue-operation", { operation: "enqueue", content: prompt }));
      add(rows.attachment({ type: "queued_command", prompt, commandMode: "task-notification" }));
    },
    edit: (file) => teller.useTool("Edit", { file_path: file }, `The file ${file} has been updated successfully.`),
    useTool(name, input, output) {
      const id = call(name, input);
      add(rows.result(id, getToolResult(output)));
    },
    enter: (folder) => void (cwd = folder),
    compact() {
      add(rows.system("compact_boundary", { content: "Conversation compacted", compactMetadata: { trigger: "auto" } }));
      const text = "This session is being continued from a previous conversation. Summary: the work went on.";
      add({ ...rows.prompt(text), isVisibleInTranscriptOnly: true, isCompactSummary: true });
    },
    resume: () => void lines.push(...lines),
    row: (row) => void lines.push(JSON.stringify(row)),
    takeRows() {
      const rest = lines.slice(taken);
      taken = lines.length;
      return rest.map((line) => `${line}\n`).join("");
    },
  };
  return teller;
}
