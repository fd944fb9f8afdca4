import type { Mode } from "../../inbox-schema/job.ts";

/** What a model printed as its answer: the last JSON object on stdout. */
export type Answer = Readonly<Record<string, unknown>>;

/** One question as a runner sees it. */
export interface RunnerRequest {
  readonly jobId: string;
  /** Already begins with our fixed first line. */
  readonly prompt: string;
  readonly mode: Mode;
  /** An existing folder, absolute. */
  readonly cwd: string;
}

/** A process to start: no shell, nothing inherited but `env`. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Written to stdin and closed; absent: stdin is /dev/null. */
  readonly stdin?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A model CLI that can be asked. */
export interface Runner {
  readonly name: string;
  /** The process for one request. Pure. */
  command(request: RunnerRequest): Command;
}
