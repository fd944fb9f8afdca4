import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Mode } from "../../../inbox-schema/job.ts";
import { isRecord } from "../../../inbox-schema/describe.ts";
import { claude, codex } from "../client.ts";
import type { Client } from "../client.ts";
import type { ModelRequest, Scripts } from "../model-server.ts";
import { getClaudeScripts } from "./claude-attacks.ts";
import { claudeCases } from "./claude-cases.ts";
import { claudeOpenings } from "./claude-openings.ts";
import { getCodexScripts } from "./codex-attacks.ts";
import { codexCases } from "./codex-cases.ts";
import { codexOpenings } from "./codex-openings.ts";
import type { HostileCase } from "./hostile-case.ts";
import type { Opening } from "./opening.ts";
import type { Stage } from "./stage.ts";

/** One client as it is attacked. */
export interface Target {
  readonly client: Client;
  readonly cases: readonly HostileCase[];
  readonly openings: readonly Opening[];
  readonly getScripts: (stage: Stage) => Scripts;
  /** What the client itself keeps, by path below the stage's root; none of it holds what a model said. */
  readonly own: RegExp;
  /** The tools that it may offer the model. */
  readonly tools: Readonly<Record<Mode, readonly string[]>>;
  /** What newer versions offer besides, and what does nothing when it is called. */
  readonly inert: readonly string[];
  /** The modes in which the model can read. */
  readonly reads: readonly Mode[];
  /** What every case has, before its own. */
  readonly prepare: (stage: Stage) => void;
}

const SANDBOXED = ["exec_command", "get_goal", "create_goal", "multi_agent_v1", "request_user_input"];

export const targets: readonly Target[] = [
  {
    client: claude,
    cases: claudeCases,
    openings: claudeOpenings,
    getScripts: getClaudeScripts,
    own: /^(home\/\.claude(\.json|\/(backups(\/\.claude\.json\.backup\.\d+)?|projects(\/[^/]+(\/memory)?)?|sessions|plugins(\/installed_plugins\.json|\/store(\/cc-plugin-[\w-]+\.json)?)?))?|tmp\/(claude-\d+(\/fswatch-probe-\w+(\/probe)?)?|cc-socks))$/,
    tools: { default: [], investigate: ["Glob", "Grep", "Read"] },
    // Of 2.1.332: stands for tools that are loaded later, of which there are none here.
    inert: ["DeferredToolPlaceholder"],
    reads: ["investigate"],
    prepare: () => {},
  },
  {
    client: codex,
    cases: codexCases,
    openings: codexOpenings,
    getScripts: getCodexScripts,
    own: /^(home\/\.codex(\/(\.sandbox_migration|\.tmp|installation_id|shell_snapshots|skills|skills\/\.system|tmp|tmp\/arg0-\w+|\w+_\d+\.sqlite(-\w+)?)(\/.*)?)?|tmp\/codex-bwrap-[\w-]+(\/lock)?)$/,
    tools: {
      default: [...SANDBOXED, "update_goal", "view_image", "write_stdin"].toSorted(),
      investigate: [...SANDBOXED, "update_goal", "view_image", "write_stdin"].toSorted(),
    },
    inert: [],
    reads: ["default", "investigate"],
    prepare({ home }) {
      const path = join(home, ".codex", "config.toml");
      writeFileSync(path, `model = "gpt-5.3-codex-spark"\n${readFileSync(path, "utf8")}`);
    },
  },
];

/** The names of the tools that a request offers, sorted. */
export function listTools({ body }: ModelRequest): string[] {
  const tools: unknown[] = Array.isArray(body["tools"]) ? body["tools"] : [];
  return tools.map((tool) => (isRecord(tool) ? String(tool["name"] ?? tool["type"]) : "?")).toSorted();
}

/** How many results of calls a request brings back. */
export function countResults({ text }: ModelRequest): number {
  return text.split(/"type":"(?:tool_result|(?:custom_tool|function)_call_output)"/).length - 1;
}
