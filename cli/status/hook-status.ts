import type { Hook, HookMode } from "../../lib/hook.ts";
import { getSettingsPath, type Env } from "../../lib/io/paths.ts";
import { readHookSettings } from "../../lib/io/settings.ts";
import { getHookMode, getModeVariable, isKilled } from "../../lib/settings.ts";
import { tallyHook, type Records, type Tally } from "../stats/tally.ts";

/** A hook's id and what its mode is where nobody has set one. */
export type KnownHook = Pick<Hook, "id" | "defaultMode">;

/** What a hook may do, by the environment and the settings file as they are here and now, and what came of it so far. */
export interface HookStatus extends KnownHook {
  readonly mode: HookMode;
  /** The variable that its mode comes from: the settings file does not count then. Null: it comes from the file or is the default. */
  readonly setBy: string | null;
  readonly tally: Tally;
}

export interface HooksFound {
  readonly hooks: readonly HookStatus[];
  readonly settingsPath: string;
  /** Why the settings file does not count; null: it does, or there is none. */
  readonly fileWarning: string | null;
  /** What is wrong with the variables, or in the file and keeps it from nothing else, a line each. */
  readonly warnings: readonly string[];
}

/** In the order of `hooks`. */
export function readHookStatus(hooks: readonly KnownHook[], records: Records, env: Env): HooksFound {
  const settingsPath = getSettingsPath(env);
  const { settings, warning } = readHookSettings(settingsPath);
  const warnings: string[] = [];
  const found = hooks.map(({ id, defaultMode }): HookStatus => {
    const chosen = getHookMode(id, defaultMode, env, settings);
    if (chosen.warning !== undefined) warnings.push(chosen.warning);
    const tally = tallyHook(id, records);
    const variable = getModeVariable(id);
    if (isKilled(env)) return { id, defaultMode, mode: "off", setBy: "CATSTACK", tally };
    const isSetHere = (env[variable] ?? "").trim() !== "" && chosen.warning === undefined;
    return { id, defaultMode, mode: chosen.mode, setBy: isSetHere ? variable : null, tally };
  });
  return { hooks: found, settingsPath, fileWarning: warning ?? null, warnings };
}
