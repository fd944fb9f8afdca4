import { describeState } from "../describe-error.ts";

/** What `read` gives of a transcript; undefined for one that cannot be read, or that has gone since it was found: then `tell` hears of it. */
export function tryTranscript<T>(path: string, read: () => T, tell: (problem: string) => void): T | undefined {
  try {
    return read();
  } catch (error) {
    tell(`expected a transcript at ${path}, ${describeState(error)}`);
    return undefined;
  }
}
