import type { Stage } from "./stage.ts";

/** Something that a client may meet when the judge asks it. */
export interface HostileCase {
  readonly name: string;
  /** Which known ways to a file or a process it tries. */
  readonly holes?: string;
  readonly prepare: (stage: Stage) => void;
  readonly prompt?: string;
}
