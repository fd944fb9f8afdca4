import { baseName } from "./paths.ts";

/** One program call, with its wrappers taken off. */
export interface Call {
  /** The program's bare name: no folder, no `.exe`, no version. */
  readonly program: string;
  /** The program as it was written. */
  readonly path: string;
  readonly args: readonly string[];
  /** Absolute where it is known. */
  readonly cwd: string;
  /** Workspace members or containers that wrappers selected. */
  readonly project: readonly string[];
  /** `NAME=value` in front of the program, its own or its wrappers'. */
  readonly env: readonly string[];
  /** What a here-document or here-string feeds it. */
  readonly input?: string;
  /** The file that `<` feeds it. */
  readonly inputFile?: string;
}

/** Where a call stands: all of it but its words. */
interface Surroundings extends Pick<Call, "cwd" | "project" | "env"> {
  readonly input?: string | undefined;
  readonly inputFile?: string | undefined;
}

/** A call from its words; undefined when there is none. */
export function callFromWords(
  words: readonly string[],
  { cwd, project, env, input, inputFile }: Surroundings,
): Call | undefined {
  const [path, ...args] = words;
  if (path === undefined || path === "") return undefined;
  const call = { program: programName(path), path, args, cwd, project, env };
  // Few calls have an input, and two more spreads cost as much as the rest of the function.
  if (input === undefined && inputFile === undefined) return call;
  return { ...call, ...(input === undefined ? {} : { input }), ...(inputFile === undefined ? {} : { inputFile }) };
}

/** `/usr/bin/python3.12` gives `python`, `tsc.cmd` gives `tsc`, `vitest@2` gives `vitest`, `@biomejs/biome` stays. */
export function programName(path: string): string {
  if (/^[a-z]+$/.test(path) && path !== "python" && path !== "pypy") return path; // as most are
  const scoped = /^@[\w.-]+\/[\w.-]+/.exec(path)?.[0];
  if (scoped !== undefined) return scoped;
  const name = baseName(path).replace(/\.(?:exe|EXE|cmd|CMD|bat|BAT)$/, "");
  const bare = name.replace(/(?<=.)@[\w.^~<>=*-]+$/, "");
  return /^(?:python|pypy)[\d.]*$/.test(bare) ? "python" : bare;
}
