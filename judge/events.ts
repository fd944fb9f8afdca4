import type { Mode } from "../inbox-schema/job.ts";
import type { Outcome } from "../inbox-schema/verdict.ts";

/** What happens to jobs. Never a prompt, never an answer: these are logged. */
interface JobEvents {
  "job:claimed": { readonly id: string };
  /** A runner is about to be asked. */
  "job:start": { readonly id: string; readonly hook: string; readonly mode: Mode; readonly attempt: number };
  "attempt:failed": { readonly id: string; readonly runner: string; readonly duration_ms: number };
  "job:judged": {
    readonly id: string;
    readonly hook: string;
    readonly outcome: Outcome;
    readonly runner: string | null;
  };
  /** A verdict of that id was there already: the claim is dropped. */
  "job:duplicate": { readonly id: string };
  "job:requeued": { readonly id: string; readonly reason: string };
  "job:dead": { readonly id: string; readonly code: string; readonly file: string };
  /** Another instance took the claim away: whatever came out here is thrown away. */
  "job:lost": { readonly id: string };
}

interface WatcherEvents {
  "watcher:ready": { readonly instance: string; readonly inbox: string; readonly concurrency: number };
  /** From now on nothing is claimed; what runs may go on for the time of grace. */
  "watcher:stopping": { readonly code: number; readonly reason: string };
  "watcher:stop": { readonly instance: string; readonly code: number; readonly reason: string };
  /** The settings were read again, and these changed; none when the file is broken, of which a `watcher:error` tells. */
  "watcher:reloaded": { readonly changes: readonly string[] };
  /** `lasting`: it goes on until `watcher:recovered` tells of the same `what`. */
  "watcher:error": { readonly what: string; readonly message: string; readonly lasting?: true };
  "watcher:recovered": { readonly what: string };
  /** Something a person may want to know that is no error, such as a setting of a job that was ignored. */
  "watcher:note": { readonly message: string; readonly id?: string };
  "janitor:reclaimed": { readonly instance: string; readonly jobs: number };
}

type Named<Events> = { [Name in keyof Events]: { readonly event: Name } & Events[Name] }[keyof Events];

export type JobEvent = Named<JobEvents>;
export type JudgeEvent = Named<JobEvents & WatcherEvents>;
export type Listener = (event: JudgeEvent) => void;

export function isJobEvent(event: JudgeEvent): event is JobEvent {
  return event.event.startsWith("job:") || event.event === "attempt:failed";
}

export interface EventBus {
  /** Tells every listener. A listener that throws disturbs neither the others nor the caller. */
  readonly emit: (event: JudgeEvent) => void;
  /** Gives the function that ends the subscription. */
  readonly subscribe: (listener: Listener) => () => void;
}

/** `report` hears of listeners that threw. */
export function createEventBus(report: (error: unknown) => void): EventBus {
  const listeners = new Set<Listener>();
  return {
    emit(event) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          report(error);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
