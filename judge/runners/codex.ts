import type { CodexProvider } from "./codex-provider.ts";
import { passPrompt } from "./prompt.ts";
import type { Runner } from "./runner.ts";

/** Pinned: never reordered. */
const PINNED = ["exec", "--skip-git-repo-check", "--sandbox", "read-only", "-c", "notify=[]"];
/**
 * No hooks, no MCP server, no session file, no instructions from the folder, and no rules: a command that a rule allows runs outside the
 * sandbox (probed with Codex 0.171.0).
 */
const CLOSED = [
  "--ignore-user-config",
  "--ignore-rules",
  "--disable",
  "hooks",
  "--ephemeral",
  "-c",
  "project_doc_max_bytes=0",
];
/** The commands it runs in its sandbox see none of our variables, and it looks nothing up. */
const QUIET = ["-c", 'shell_environment_policy.inherit="core"', "-c", 'web_search="disabled"'];
/** It fetches no list of plugins from GitHub and reports no use: it asks its provider alone (seen with Codex 0.171.0). */
const PRIVATE = ["-c", "features.plugins=false", "-c", "analytics.enabled=false"];

const AUTH_VARIABLES = ["CODEX_API_KEY", "CODEX_ACCESS_TOKEN", "OPENAI_API_KEY"];
const OPENAI_VARIABLES = ["OPENAI_BASE_URL", "OPENAI_ORGANIZATION", "OPENAI_PROJECT"];

/** Codex, which reads files by running commands in its read-only sandbox. Both modes are called alike. */
export function createCodexRunner(provider: CodexProvider): Runner {
  const switches = [...PINNED, ...CLOSED, ...QUIET, ...PRIVATE, ...provider.args, "--"];
  return {
    name: "codex",
    invoke: (prompt) =>
      passPrompt(prompt, {
        file: "codex",
        asArgument: (text) => [...switches, text],
        fromStdin: [...switches, "-"],
      }),
    getVariables: () => getCodexVariables(provider),
  };
}

/** Codex's own keys and the one that the user's provider names. */
export function getCodexVariables({ envKey }: CodexProvider): readonly string[] {
  return [...AUTH_VARIABLES, ...OPENAI_VARIABLES, ...(envKey === undefined ? [] : [envKey])];
}
