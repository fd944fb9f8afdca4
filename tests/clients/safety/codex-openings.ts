import { asksNobody, makes, sends, starts, visits } from "./opening.ts";
import type { Opening } from "./opening.ts";

const SANDBOX = ["--sandbox", "read-only"];
const CONFIG = ["--ignore-user-config"];
const HOOKS = ["--disable", "hooks"];
const NOTIFY = ["-c", "notify=[]"];
const ENVIRONMENT = ["-c", 'shell_environment_policy.inherit="core"'];
/** Hooks run only once somebody has trusted them; this says so for one run. */
const trusted = ["--dangerously-bypass-hook-trust"];

/** Every switch that closes something, left out alone where that opens it, else with those that close it as well. */
export const codexOpenings: readonly Opening[] = [
  {
    without: "--sandbox read-only --ignore-user-config",
    change: { args: [SANDBOX, CONFIG] },
    meets: "the user's sandbox is danger-full-access",
    ...makes("cwd"),
  },
  {
    without: "--ignore-user-config",
    change: { args: [CONFIG] },
    meets: "a tool server of the user's, approved",
    ...makes("mcp-server"),
  },
  {
    without: "--ignore-user-config",
    change: { args: [CONFIG] },
    meets: "the same in a folder that the user trusts",
    ...makes("mcp-server"),
  },
  {
    without: "-c notify=[] --ignore-user-config",
    change: { args: [NOTIFY, CONFIG] },
    meets: "a notify program of the user's",
    ...makes("notify"),
  },
  {
    without: "--disable hooks",
    change: { args: [HOOKS], added: trusted },
    meets: "hooks of the user's",
    ...makes("hook-Stop"),
  },
  {
    without: "--ignore-rules",
    change: { args: [["--ignore-rules"]] },
    meets: "the user's rules allow commands",
    ...makes("plain"),
  },
  {
    without: "--ephemeral",
    change: { args: [["--ephemeral"]] },
    meets: "nothing",
    happens: "a transcript of it stays in the home",
    isSeen: (stage) => stage.findChanges().some((path) => /^home\/\.codex\/sessions\/.*\.jsonl$/.test(path)),
  },
  {
    without: "-c project_doc_max_bytes=0",
    change: { args: [["-c", "project_doc_max_bytes=0"]] },
    meets: "AGENTS.md",
    ...sends("what AGENTS.md says", ({ mark }) => `${mark}-instructions`),
  },
  {
    without: '-c shell_environment_policy.inherit="core"',
    change: { args: [ENVIRONMENT] },
    meets: "nothing",
    ...sends("the provider's key", ({ env }) => env["FAKE_KEY"] ?? "a key"),
  },
  {
    without: '-c web_search="disabled"',
    change: { args: [["-c", 'web_search="disabled"']] },
    meets: "nothing",
    ...sends("that it may search the web", () => '"type":"web_search"'),
  },
  {
    without: "-c features.plugins=false",
    change: { args: [["-c", "features.plugins=false"]] },
    meets: "nothing",
    ...visits,
  },
  {
    without: "-c analytics.enabled=false",
    change: { args: [["-c", "analytics.enabled=false"]] },
    meets: "nothing",
    ...visits,
  },
  {
    without: "the fixed first line and --",
    change: { firstLine: true, args: [["--"]] },
    meets: "a question that begins with `resume`",
    ...asksNobody,
  },
  {
    without: "the fixed first line and --",
    change: { firstLine: true, args: [["--"]] },
    meets: "a question that begins with `--version`",
    ...asksNobody,
  },
  {
    without: "the fixed first line",
    change: { firstLine: true },
    meets: "a question that begins with `-`",
    ...asksNobody,
  },
  {
    without: "--sandbox read-only --ignore-user-config",
    change: { args: [SANDBOX, CONFIG] },
    meets: "the user's sandbox is danger-full-access",
    ...starts,
  },
  {
    without: "--sandbox read-only, with danger-full-access",
    change: { args: [SANDBOX], added: ["--sandbox", "danger-full-access"] },
    meets: "a Git repository with `core.fsmonitor`",
    ...makes("fsmonitor"),
  },
];
