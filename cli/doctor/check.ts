/** `unknown`: it could not be told, which is not the same as all is well. */
export type Level = "ok" | "warn" | "fail" | "unknown";

/** One thing that was looked at. */
export interface Check {
  /** What it is about, such as `node` or `entries claude`: stable, for programs. */
  readonly name: string;
  readonly level: Level;
  /** What was found, in one line. */
  readonly says: string;
  /** What to do about it, in one line; absent where nothing is to be done. */
  readonly mend?: string;
}

/** A check that is all right. */
export function ok(name: string, says: string): Check {
  return { name, level: "ok", says };
}

/** One that wants something done. */
export function problem(level: Exclude<Level, "ok">, name: string, says: string, mend: string): Check {
  return { name, level, says, mend };
}
