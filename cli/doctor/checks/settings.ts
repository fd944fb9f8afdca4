import { ok, problem, type Check } from "../check.ts";

export interface SettingsFacts {
  readonly path: string;
  readonly isThere: boolean;
  /** What keeps the file from being followed, or a variable from being. */
  readonly errors: readonly string[];
  /** What is no error and was hardly meant, each with where it stands. */
  readonly notes: readonly string[];
  /** `CATSTACK=off`. */
  readonly isKilled: boolean;
}

/** Whether the settings are followed as they are written. Pure. */
export function checkSettings({ path, isThere, errors, notes, isKilled }: SettingsFacts): Check {
  const name = "settings";
  if (errors.length > 0) return problem("fail", name, errors.join("; "), "correct it");
  if (isKilled) return problem("warn", name, "CATSTACK=off is set here: no hook does anything", "unset CATSTACK");
  if (notes.length > 0) return problem("warn", name, notes.join("; "), "correct or remove it: nothing reads it");
  return ok(name, isThere ? path : `none at ${path}: all defaults`);
}
