import type { Env } from "../../lib/io/paths.ts";
import { passPrompt } from "./prompt.ts";
import type { Runner } from "./runner.ts";

/** Pinned: never reordered. */
const PINNED = ["-p", "--model", "haiku", "--settings", '{"disableAllHooks": true}'];
/** No MCP server, nothing from the folder's settings, no transcript (each switch probed with Claude Code 2.1.197). */
const CLOSED = ["--strict-mcp-config", "--setting-sources", "user"];
const QUIET = ["--permission-mode", "dontAsk", "--no-session-persistence"];

/** `--allowedTools` grants and does not restrict: what restricts is `--tools`. Pinned: never reordered. */
const READ_ONLY = [
  "--allowedTools",
  "Read",
  "Grep",
  "Glob",
  "--disallowedTools",
  "Write",
  "Edit",
  "NotebookEdit",
  "Bash",
];

const DEFAULT = [...PINNED, ...CLOSED, "--tools", "", ...QUIET];
const INVESTIGATE = [...PINNED, ...CLOSED, "--tools", "Read,Grep,Glob", ...QUIET, ...READ_ONLY];

const AUTH_VARIABLES = ["ANTHROPIC_*", "CLAUDE_CODE_OAUTH_TOKEN"];
const CERTIFICATE_VARIABLES = [
  "CLAUDE_CODE_CLIENT_CERT",
  "CLAUDE_CODE_CLIENT_KEY",
  "CLAUDE_CODE_CLIENT_KEY_PASSPHRASE",
];
/** A person who opted out of telemetry did so for our calls, too. */
const PRIVACY_VARIABLES = ["DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING"];
const CLOUDS = [
  { use: "CLAUDE_CODE_USE_BEDROCK", variables: ["CLAUDE_CODE_SKIP_BEDROCK_AUTH", "AWS_*"] },
  {
    use: "CLAUDE_CODE_USE_VERTEX",
    variables: ["CLAUDE_CODE_SKIP_VERTEX_AUTH", "GOOGLE_*", "GCLOUD_PROJECT", "CLOUD_ML_REGION", "VERTEX_REGION_*"],
  },
  { use: "CLAUDE_CODE_USE_FOUNDRY", variables: ["CLAUDE_CODE_SKIP_FOUNDRY_AUTH", "AZURE_*"] },
];

/** Claude Code. It reads the prompt from stdin when no argument follows the switches. */
export const claudeRunner: Runner = {
  name: "claude",
  invoke: (prompt, mode) => {
    const switches = mode === "investigate" ? INVESTIGATE : DEFAULT;
    return passPrompt(prompt, {
      file: "claude",
      asArgument: (text) => [...switches, "--", text],
      fromStdin: switches,
    });
  },
  getVariables: getClaudeVariables,
};

/** Claude's own keys; those of a cloud only where the environment says that claude is served by that cloud. */
export function getClaudeVariables(parent: Env): readonly string[] {
  const clouds = CLOUDS.filter(({ use }) => isOn(parent[use])).flatMap(({ use, variables }) => [use, ...variables]);
  return [...AUTH_VARIABLES, ...CERTIFICATE_VARIABLES, ...PRIVACY_VARIABLES, ...clouds];
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value);
}
