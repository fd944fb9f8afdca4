import { describeState } from "../describe-error.ts";

interface TryOptions {
  readonly tell: (problem: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * What `read` gives of a transcript; undefined for one that cannot be read, or that has gone since it was found: then `tell` hears of it. Undefined
 * as well once `signal` is aborted.
 */
export async function tryTranscript<T>(
  path: string,
  read: () => Promise<T>,
  { tell, signal }: TryOptions,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (signal?.aborted !== true) tell(`expected a transcript at ${path}, ${describeState(error)}`);
    return undefined;
  }
}
