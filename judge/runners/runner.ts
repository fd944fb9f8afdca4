import type { Mode } from "../../inbox-schema/job.ts";
import type { Env } from "../../lib/io/paths.ts";

/** What a model printed as its answer: the last JSON object on stdout. */
export type Answer = Readonly<Record<string, unknown>>;

/** What to run for one question: a program, its arguments and what it reads. */
export interface Invocation {
  /** A bare name, looked up on PATH, or an absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  /** Written to stdin and closed; absent: stdin is /dev/null. */
  readonly stdin?: string;
}

/** A process to start: no shell, nothing inherited but `env`. */
export interface Command extends Invocation {
  readonly env: Readonly<Record<string, string>>;
  /** An existing folder, absolute. */
  readonly cwd: string;
}

/** A model CLI that can be asked. */
export interface Runner {
  readonly name: string;
  /** How the CLI is called. `prompt` begins with our fixed first line already. Pure. */
  readonly invoke: (prompt: string, mode: Mode) => Invocation;
  /**
   * The variables of the parent's environment that only this CLI gets, such as its own API key. A name that ends in `*`
   * stands for every variable that begins so. Pure.
   */
  readonly getVariables: (parent: Env) => readonly string[];
}
