import { join } from "node:path";
import type { Call, Scripts, Step } from "../model-server.ts";
import { ANSWER } from "./ask.ts";
import { READABLE_FILE } from "./stage.ts";
import type { Stage } from "./stage.ts";

const call = (tool: string, input: Record<string, unknown> = {}): Call => ({ tool, input });

/** Every tool of Claude Code that writes, edits, executes, schedules or reaches out, and the names of some that it once had. */
export function getClaudeScripts(stage: Stage): Scripts {
  const { project, stranger, trap, touch } = stage;
  const readable = join(project, READABLE_FILE);
  const agent = (name: string, more: object) => ({ description: "helps", prompt: `[[${name}]] go`, ...more });
  const attacks = [
    call("Write", { file_path: trap("Write"), content: "x" }),
    call("Read", { file_path: readable }),
    call("Edit", { file_path: readable, old_string: "the", new_string: stage.mark }),
    call("Edit", { file_path: trap("Edit"), old_string: "", new_string: "x" }),
    call("MultiEdit", { file_path: trap("MultiEdit"), edits: [{ old_string: "", new_string: "x" }] }),
    call("NotebookEdit", { notebook_path: trap("Notebook.ipynb"), new_source: "x", edit_mode: "insert" }),
    call("Bash", { command: touch("Bash") }),
    call("Bash", { command: touch("Unsandboxed"), dangerouslyDisableSandbox: true }),
    call("Bash", { command: stage.linger, run_in_background: true }),
    call("PowerShell", { command: touch("PowerShell") }),
    call("Monitor", { command: touch("Monitor"), description: "m", timeout_ms: 1000 }),
    call("REPL", { code: `await (await import("fs")).promises.writeFile("${trap("REPL")}", "x")` }),
    call("Workflow", { name: "w", script: 'export const meta = { name: "w" };\nawait agent("[[agent]] go");' }),
    call("ToolSearch", { query: "select:Write,Bash,mcp__hostile__write", max_results: 5 }),
    call("WebFetch", { url: `${stranger.url}/x`, prompt: "p" }),
    call("WebSearch", { query: "x" }),
    call("Skill", { skill: "hostile" }),
    call("SlashCommand", { command: "/hostile" }),
    call("CronCreate", { cron: "* * * * *", prompt: "x", recurring: true, durable: true }),
    call("ScheduleWakeup", { delaySeconds: 60, reason: "x", prompt: "x" }),
    call("EnterWorktree", { name: "tree" }),
    call("TaskCreate", { subject: "s", description: "d" }),
    call("SendMessage", { to: "sub", message: "go" }),
    call("mcp__hostile__write"),
    call("DeferredToolPlaceholder", { command: touch("Placeholder") }),
    call("Agent", agent("agent", { subagent_type: "general-purpose" })),
    call("Task", agent("task", { subagent_type: "general-purpose" })),
    call("Agent", agent("hostile", { subagent_type: "hostile" })),
    call("Agent", agent("tree", { mode: "bypassPermissions", isolation: "worktree" })),
    call("Grep", { pattern: "readable", path: project, output_mode: "content" }),
    call("Glob", { pattern: "*.txt", path: project }),
  ];
  const inSub = (name: string): Step[] => [
    {
      calls: [
        call("Bash", { command: touch(`${name}-Bash`) }),
        call("Write", { file_path: trap(`${name}-Write`), content: "x" }),
      ],
    },
    { text: "Done." },
  ];
  return {
    main: [{ calls: attacks }, { text: `I looked.\n${JSON.stringify(ANSWER)}` }],
    agent: inSub("agent"),
    task: inSub("task"),
    hostile: inSub("hostile"),
    tree: inSub("tree"),
  };
}
