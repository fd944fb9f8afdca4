import { ok, problem, type Check } from "../check.ts";

export interface SettingsFacts {
  readonly path: string;
  readonly isThere: boolean;
  /** What keeps the file from being followed, or a variable from being. */
  readonly errors: readonly string[];
  /** What is no error and was hardly meant. */
  readonly notes: readonly string[];
  /** `CATSTACK=off`. */
  readonly isKilled: boolean;
}

/** Whether the settings are followed as they are written. Pure. */
export function checkSettings({ path, isThere, errors, notes, isKilled }: SettingsFacts): Check {
  const name = "settings";
  const [error] = errors;
  if (error !== undefined) return problem("fail", name, error, "correct it");
  if (isKilled) return problem("warn", name, "CATSTACK=off is set here: no hook does anything", "unset CATSTACK");
  const [note] = notes;
  if (note !== undefined) return problem("warn", name, `${path}: ${note}`, "correct it");
  return ok(name, isThere ? path : `none at ${path}: all defaults`);
}
