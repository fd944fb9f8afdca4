import type { EntryBase, TaskEndEntry } from "./entry.ts";

const NOTICE = /<task-notification>([\s\S]*?)(?:<\/task-notification>|$)/g;

/** At the end of the summary; the description before it is the agent's own text and may hold the same words. */
const EXIT_CODE = /(?:completed \(exit code (\d+)\)|failed with exit code (\d+))\.?\s*$/;

const STATUSES: ReadonlyMap<string, TaskEndEntry["status"]> = new Map([
  ["completed", "completed"],
  ["failed", "failed"],
  ["killed", "stopped"],
  ["stopped", "stopped"],
]);

/**
 * The ends of background commands that a notice tells. Its form, seen with 2.1.197: `<task-id>`, `<tool-use-id>`,
 * `<status>` (completed, failed, killed) and a `<summary>` with the exit code. Ends of other tasks (sub-agents, monitors)
 * have the same form; their ids belong to no shell command.
 */
export function parseTaskEnds(text: string, base: EntryBase): readonly TaskEndEntry[] {
  return [...text.matchAll(NOTICE)].flatMap(([, body = ""]) => readTaskEnd(body, base));
}

function readTaskEnd(body: string, base: EntryBase): readonly TaskEndEntry[] {
  const taskId = findTag(body, "task-id");
  const status = STATUSES.get(findTag(body, "status") ?? "");
  if (taskId === undefined || status === undefined) return [];
  const callId = findTag(body, "tool-use-id");
  const exitCode = readExitCode(findTag(body, "summary") ?? "");
  return [
    {
      ...base,
      kind: "task-end",
      taskId,
      ...(callId === undefined ? {} : { callId }),
      ...(exitCode === undefined ? {} : { exitCode }),
      status,
    },
  ];
}

/** The text between `<name>` and `</name>`. */
function findTag(body: string, name: string): string | undefined {
  const start = body.indexOf(`<${name}>`);
  const end = body.indexOf(`</${name}>`, start);
  const text = start === -1 || end === -1 ? "" : body.slice(start + name.length + 2, end).trim();
  return text === "" ? undefined : text;
}

function readExitCode(summary: string): number | undefined {
  const match = EXIT_CODE.exec(summary);
  const code = Number(match?.[1] ?? match?.[2]);
  return Number.isSafeInteger(code) ? code : undefined;
}
