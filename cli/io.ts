import type { Env } from "../lib/io/paths.ts";

/** What a verb of `catstack` may touch besides files: each is `(args, io) => Promise<exit code>`, so tests pass their own. */
export interface CliIo {
  readonly env: Env;
  readonly stdin: NodeJS.ReadableStream;
  readonly now: () => Date;
  /** Prints one line on stdout. */
  out(line: string): void;
  /** Prints one line on stderr. */
  err(line: string): void;
  /** Whether colour may be used: a terminal is there and `NO_COLOR` is not set. */
  readonly color: boolean;
  readonly cwd: string;
  /** Ends the process, whatever still runs in it. Absent where others live in it too, as in a test. */
  readonly exit?: (code: number) => void;
}
