import type { Harness } from "../../lib/hook.ts";

/** Where a client keeps its files: what the shell is to expand. */
const folders: Readonly<Record<Harness, string>> = {
  claude: "${CLAUDE_CONFIG_DIR:-$HOME/.claude}",
  codex: "${CODEX_HOME:-$HOME/.codex}",
  cursor: "$HOME/.cursor",
};

/** Below a client's folder: the link to our built files. */
export const LINK = "hooks/catstack";

/**
 * The command of a hook as Claude Code's /bin/sh runs it. It is the same on every machine and for every version, works with any path, and ends in
 * exit 0 whatever is missing: a hook that fails would be shown to the person on every turn.
 */
export function getLauncher(harness: Harness, ...args: string[]): string {
  const call = ["/bin/sh", '"$f"', harness, ...args].join(" ");
  // Cursor expects JSON of every hook, also of one that is gone.
  const run = harness === "cursor" ? `if [ -r "$f" ]; then ${call}; else echo "{}"; fi` : `[ ! -r "$f" ] || ${call}`;
  return `f="${folders[harness]}/${LINK}/launch"; ${run}; exit 0`;
}

/**
 * The same for a client that asks the person's own shell, which may be fish or another that knows no `${NAME:-default}`: Codex takes `$SHELL -lc`. The
 * text is what a person's trust in Codex holds on to, so it stays as it is.
 */
export function getWrappedLauncher(harness: Harness, ...args: string[]): string {
  return `/bin/sh -c '${getLauncher(harness, ...args)}'`;
}
