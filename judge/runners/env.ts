import type { Env } from "../../lib/io/paths.ts";
import { toVariables, type Mark } from "./mark.ts";

const ACCOUNT = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "LC_*", "TZ", "TERM", "TMPDIR", "XDG_*"];
/** Both spellings are in use. */
const PROXIES = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
];
const CERTIFICATES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];
const HOMES = ["CLAUDE_CONFIG_DIR", "CODEX_HOME"];
/** What every runner may see of the parent's environment. */
const COMMON = [...ACCOUNT, ...PROXIES, ...CERTIFICATES, ...HOMES];

/**
 * What every runner gets. Git is kept from running a program that a project's `core.fsmonitor` names; claude from asking a model for a
 * title as well, and from reporting its use (seen with Claude Code 2.1.197).
 */
const FIXED = {
  CATSTACK_LLM_JUDGE_CHILD: "1",
  CLAUDE_CODE_MAX_RETRIES: "2",
  CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "core.fsmonitor",
  GIT_CONFIG_VALUE_0: "false",
  DISABLE_AUTOUPDATER: "1",
};

/**
 * The whole environment of a runner: an allow-list, since the model can have any file read, /proc/self/environ too.
 * `extra` names the variables of this CLI alone. The mark is on every descendant.
 */
export function getRunnerEnv(
  parent: Env,
  { extra, ...mark }: Mark & { readonly extra: readonly string[] },
): Record<string, string> {
  const allowed = [...COMMON, ...extra];
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value !== undefined && allowed.some((pattern) => isMatch(name, pattern))) env[name] = value;
  }
  const { PATH: path, ...others } = env;
  return { ...getPath(path), ...others, ...FIXED, ...toVariables(mark) };
}

function isMatch(name: string, pattern: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/**
 * A relative entry would be looked up in the folder that is being judged: its `claude` or `git` would be run. So would an empty
 * PATH, whereas without one the system's own folders are searched.
 */
function getPath(path = ""): { PATH?: string } {
  const absolute = path.split(":").filter((entry) => entry.startsWith("/"));
  return absolute.length === 0 ? {} : { PATH: absolute.join(":") };
}
