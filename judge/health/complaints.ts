import type { JudgeEvent } from "../events.ts";

/** Errors that come again with every look are told once, until what they are about works again or fails otherwise. */
export interface Complaints {
  failed(what: string, error: unknown): void;
  worked(what: string): void;
}

/** The name of a temporary file is another one each time: without its number the same fault has the same message. */
const TEMPORARY = /\.\d+\.[0-9a-z]{1,8}\.tmp\b/g;

export function createComplaints(emit: (event: JudgeEvent) => void): Complaints {
  const last = new Map<string, string>();
  return {
    failed(what, error) {
      const message = String(error).replaceAll(TEMPORARY, ".tmp");
      if (last.get(what) === message) return;
      last.set(what, message);
      emit({ event: "watcher:error", what, message, lasting: true });
    },
    worked(what) {
      if (last.delete(what)) emit({ event: "watcher:recovered", what });
    },
  };
}
