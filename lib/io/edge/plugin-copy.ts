import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Payload } from "../../harness/payload.ts";
import { isRow, parseRow } from "../../transcript/row.ts";
import { getHome, type Env } from "../paths.ts";
import { findSmallText } from "../read-small-file.ts";

/** What `catstack install` links to, in Claude Code's folder, and names in the settings. */
const LAUNCHER = "/hooks/catstack/launch";
/** Added by the commands of hooks/hooks.json. */
const PLUGIN_ARGUMENT = "plugin";
const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;

/**
 * Whether this process is the plugin's copy of a hook that the person's settings run as well: Claude Code starts both, in parallel and with the
 * same payload, and the plugin's steps back. It is told by an argument of its own command, so that no other looks at a file. Variables would not
 * tell: a project may set any, and a client that another plugin starts hands that one's `CLAUDE_PLUGIN_ROOT` on to the hooks of the settings (seen
 * with 2.1.197). Settings that cannot be read run nothing.
 */
export function isSpareCopy({ harness, event }: Payload, args: readonly string[], env: Env): boolean {
  if (harness !== "claude" || event === undefined || !args.includes(PLUGIN_ARGUMENT)) return false;
  const named = env["CLAUDE_CONFIG_DIR"] ?? "";
  const folder = named === "" ? join(getHome(env), ".claude") : named;
  return existsSync(folder + LAUNCHER) && runsUs(join(folder, "settings.json"), event);
}

function runsUs(settingsPath: string, event: string): boolean {
  try {
    const hooks = parseRow(findSmallText(settingsPath, MAX_SETTINGS_BYTES) ?? "")?.["hooks"];
    return JSON.stringify((isRow(hooks) ? hooks[event] : undefined) ?? null).includes(LAUNCHER);
  } catch {
    return false;
  }
}
