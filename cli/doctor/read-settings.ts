import { existsSync } from "node:fs";
import { hooks } from "../../hooks/index.ts";
import { readJudgeSettings } from "../../judge/settings.ts";
import { getSettingsPath, type Env } from "../../lib/io/paths.ts";
import { readHookSettings } from "../../lib/io/settings.ts";
import { getHookMode, isKilled } from "../../lib/settings.ts";
import { findStateDirProblem } from "../state-dir.ts";
import { listUnknownVariables } from "../unknown-variables.ts";
import type { SettingsFacts } from "./checks/settings.ts";

/** The settings file and the variables, as they are here and now. Never throws. */
export function readSettings(env: Env): SettingsFacts {
  const path = getSettingsPath(env);
  const hookIds = hooks.map(({ id }) => id);
  const judge = readJudgeSettings(path, hookIds);
  const { settings, warning } = readHookSettings(path);
  const modes = hooks.flatMap(({ id, defaultMode }) => getHookMode(id, defaultMode, env, settings).warning ?? []);
  const file = judge.ok ? warning : judge.reason;
  return {
    path,
    isThere: existsSync(path),
    errors: [file, findStateDirProblem(env), ...modes].filter((error) => error !== undefined),
    notes: [...(judge.ok ? judge.notes.map((note) => `${path}: ${note}`) : []), ...listUnknownVariables(env, hookIds)],
    isKilled: isKilled(env),
  };
}
