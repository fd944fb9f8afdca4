import type { JudgeEvent } from "../events.ts";

/** Errors that come again with every look are told once, until what they are about works again or fails otherwise. */
export interface Complaints {
  failed(what: string, error: unknown): void;
  worked(what: string): void;
}

export function createComplaints(emit: (event: JudgeEvent) => void): Complaints {
  const last = new Map<string, string>();
  return {
    failed(what, error) {
      const message = String(error);
      if (last.get(what) === message) return;
      last.set(what, message);
      emit({ event: "watcher:error", what, message, lasting: true });
    },
    worked(what) {
      if (last.delete(what)) emit({ event: "watcher:recovered", what });
    },
  };
}
