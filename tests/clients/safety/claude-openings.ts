import { asksNobody, makes, makesFile, sends, starts, visits } from "./opening.ts";
import type { Opening } from "./opening.ts";

const MCP = ["--strict-mcp-config"];
const SOURCES = ["--setting-sources", "user"];
const TOOLS = ["--tools", "Read,Grep,Glob"];
const NO_TOOLS = ["--tools", ""];
const REFUSED = ["--disallowedTools", "Write", "Edit", "NotebookEdit", "Bash"];
const MODE = ["--permission-mode", "dontAsk"];
const GIT = ["GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0"];

/** Every switch that closes something, left out alone where that opens it, else with those that close it as well. */
export const claudeOpenings: readonly Opening[] = [
  {
    without: "--strict-mcp-config",
    change: { args: [MCP] },
    meets: "a tool server of the user's, its tools allowed",
    ...makes("mcp-server"),
  },
  {
    without: "--strict-mcp-config --setting-sources user",
    change: { args: [MCP, SOURCES] },
    meets: "`.mcp.json`",
    ...makes("mcp-server"),
  },
  {
    without: "--strict-mcp-config --setting-sources user --tools",
    change: { args: [MCP, SOURCES, TOOLS] },
    meets: "agents, skills, commands and CLAUDE.md",
    ...makes("agent-server"),
  },
  {
    without: "--setting-sources user",
    change: { args: [SOURCES] },
    meets: "project settings: hooks, helpers, rules, a key helper",
    ...makes("apiKeyHelper"),
  },
  {
    without: "--setting-sources user",
    change: { args: [SOURCES] },
    meets: "project settings: another server's address",
    ...visits,
  },
  {
    without: "--setting-sources user",
    change: { args: [SOURCES] },
    meets: "project settings: a PATH of its own",
    ...makes("path-ps"),
  },
  {
    without: "--setting-sources user",
    change: { args: [SOURCES] },
    meets: "agents, skills, commands and CLAUDE.md",
    ...sends("what CLAUDE.md says", ({ mark }) => `${mark}-instructions`),
  },
  { without: "--tools", change: { args: [TOOLS] }, meets: "nothing", ...makesFile(".claude/scheduled_tasks.json") },
  {
    without: "--tools",
    change: { args: [TOOLS] },
    meets: "a Git repository with a post-checkout hook",
    ...makes("checkout"),
  },
  {
    without: "--tools --disallowedTools",
    change: { args: [TOOLS, REFUSED] },
    meets: "the user's rules allow every tool",
    ...makes("Write"),
  },
  {
    without: "--tools --disallowedTools --permission-mode",
    change: { args: [TOOLS, REFUSED, MODE] },
    meets: "the user's mode is acceptEdits",
    ...makes("Write"),
  },
  {
    without: '--tools "" (default mode)',
    change: { args: [NO_TOOLS] },
    mode: "default",
    meets: "the user's rules allow every tool",
    ...makes("Write"),
  },
  {
    without: '--settings {"disableAllHooks": true}',
    change: { args: [["--settings", '{"disableAllHooks": true}']] },
    meets: "hooks and helper programs of the user's",
    ...makes("hook-Stop"),
  },
  {
    without: "--no-session-persistence",
    change: { args: [["--no-session-persistence"]] },
    meets: "nothing",
    happens: "a transcript of it stays in the home",
    isSeen: (stage) => stage.findChanges().some((path) => /^home\/\.claude\/projects\/.*\.jsonl$/.test(path)),
  },
  {
    without: "GIT_CONFIG_* CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS",
    change: { variables: [...GIT, "CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS"] },
    meets: "a Git repository with `core.fsmonitor`",
    ...makes("fsmonitor"),
  },
  {
    without: "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    change: { variables: ["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"] },
    meets: "nothing",
    ...visits,
  },
  {
    without: "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    change: { variables: ["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"] },
    meets: "nothing",
    happens: "the model is asked for a title as well",
    isSeen: ({ model }) => model.requests.some(({ text }) => text.includes("title")),
  },
  {
    without: "the fixed first line",
    change: { firstLine: true },
    meets: "a question that begins with `/nosuch`",
    ...asksNobody,
  },
  {
    without: "the fixed first line",
    change: { firstLine: true },
    meets: "a question that begins with `/hostile`",
    happens: "the model is asked something else",
    isSeen: ({ model }) => !model.requests.some(({ text }) => text.includes("/hostile\\n")),
  },
  {
    without: "the fixed first line and --",
    change: { firstLine: true, args: [["--"]] },
    meets: "a question that begins with `--version`",
    ...asksNobody,
  },
  {
    without: "--strict-mcp-config --setting-sources user",
    change: { args: [MCP, SOURCES] },
    meets: "`.mcp.json` that the project's settings approve",
    ...makes("mcp-server"),
  },
  {
    without: "--strict-mcp-config --setting-sources user",
    change: { args: [MCP, SOURCES] },
    meets: "the same in a folder that the user trusts",
    ...makes("mcp-server"),
  },
  {
    without: "--strict-mcp-config --setting-sources user",
    change: { args: [MCP, SOURCES] },
    meets: "the same, and settings that make the agent the main one",
    ...makes("agent-server"),
  },
  {
    without: "--setting-sources user",
    change: { args: [SOURCES] },
    meets: "local settings with bypassPermissions",
    ...makes("apiKeyHelper"),
  },
  {
    without: "--setting-sources user CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS",
    change: { args: [SOURCES], variables: ["CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS"] },
    meets: "project settings: variables that run code",
    ...makes("fsmonitor"),
  },
  {
    without: "--tools --disallowedTools",
    change: { args: [TOOLS, REFUSED] },
    meets: "the user's rules allow every tool",
    ...starts,
  },
  {
    without: "--tools --disallowedTools",
    change: { args: [TOOLS, REFUSED] },
    meets: "the user's rules allow every tool",
    happens: "a file, by a sub-agent: agent-Write",
    isSeen: makes("agent-Write").isSeen,
  },
  {
    without: "the fixed first line and --",
    change: { firstLine: true, args: [["--"]] },
    meets: "a question that begins with `-p`",
    ...asksNobody,
  },
  {
    without: "the fixed first line",
    change: { firstLine: true },
    meets: "a question of 120 KiB, which goes by stdin, and begins with `/hostile`",
    ...asksNobody,
  },
];
