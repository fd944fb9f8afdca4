import { dirname } from "node:path";
import { appendText } from "../append-text.ts";
import { makePrivateDir } from "../publish-file.ts";
import { rotateFile } from "../rotate-file.ts";

/** What a hook in `observe` mode would have done: counts and ids, nothing that was said. */
export interface Observation {
  /** ISO 8601. */
  readonly at: string;
  readonly hook: string;
  readonly event: string;
  readonly transcript_key: string;
  readonly messages: readonly string[];
  readonly jobs: readonly string[];
  /** How many of the jobs would have asked a model; the others have their answer. */
  readonly questions: number;
}

const MAX_BYTES = 1024 * 1024;

/** Adds one line. A full log becomes `<path>.1`, in place of an older one. Throws the system's error. */
export function appendObservation(path: string, observation: Observation): void {
  makePrivateDir(dirname(path));
  const line = `${JSON.stringify(observation)}\n`;
  rotateFile(path, MAX_BYTES - line.length);
  appendText(path, line);
}
