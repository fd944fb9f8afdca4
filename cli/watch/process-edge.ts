import { EXIT_INTERNAL, EXIT_TEMPORARY } from "../../judge/supervision/exit-codes.ts";
import type { Listener } from "../../judge/events.ts";
import type { JudgeSettingsResult } from "../../judge/settings.ts";
import type { Watcher } from "../../judge/watcher.ts";
import type { CliIo } from "../io.ts";
import { createDeadline } from "./deadline.ts";
import { listenForSignals } from "./signals.ts";

/** What reaches the watcher from outside, from the first moment of its process to the last. */
export interface ProcessEdge {
  /** Has the watcher do something; where there is none yet, as soon as it is there. */
  ask(request: (watcher: Watcher) => void): void;
  /** The watcher is there. `readSettings` is called on SIGHUP. */
  connect(watcher: Watcher, log: Listener, readSettings: () => JudgeSettingsResult): void;
  /** Told of every event. */
  readonly listener: Listener;
  /** The watcher has ended. What hangs is still ended in time. */
  close(): void;
}

/** From the first request to end: running jobs have 10 s, a runner that then ignores SIGTERM 2 s more, and what is left to do takes a moment. */
const STOP_MS = 19_000;
/** From a second signal, or an error of our own: what runs is killed at once. */
const KILL_MS = 10_000;

/**
 * The first SIGTERM or SIGINT stops the watcher, every later one kills what runs; SIGHUP has the settings read again. An error that
 * nobody caught ends it. Whatever hangs then, the process is gone by the deadline; the next watcher goes on with what it held.
 */
export function openProcessEdge(io: CliIo): ProcessEdge {
  let watcher: Watcher | undefined;
  let log: Listener | undefined;
  let reload: () => void = () => {};
  let hasFailed = false;
  const waiting: ((watcher: Watcher) => void)[] = [];
  const deadline = createDeadline(giveUp);
  const ask: ProcessEdge["ask"] = (request) => {
    if (watcher === undefined) waiting.push(request);
    else request(watcher);
  };
  const unlisten = listenForSignals({
    onStop(signal, count) {
      deadline.set(count === 1 ? STOP_MS : KILL_MS);
      ask((started) => (count === 1 ? started.stop(signal) : started.kill(signal)));
    },
    onReload: () => ask(() => reload()),
  });
  if (io.exit !== undefined) process.on("uncaughtException", fail);
  // Such as a terminal that was closed. The log is written to judge.log all the same when nobody reads it here any more.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignore);

  function fail(error: unknown): void {
    io.err(`catstack watch: an error that nobody expected: ${error instanceof Error ? error.stack : String(error)}`);
    if (watcher === undefined || hasFailed) return io.exit?.(EXIT_INTERNAL);
    hasFailed = true;
    deadline.set(KILL_MS);
    watcher.fail(error);
  }

  function giveUp(): void {
    const message = "ended by force, since something hung; the next watcher goes on with what it held";
    watcher?.kill("the time to end is over");
    log?.({ event: "watcher:error", what: "ending", message });
    io.exit?.(hasFailed ? EXIT_INTERNAL : EXIT_TEMPORARY);
  }

  return {
    ask,
    connect(started, listener, readSettings) {
      watcher = started;
      log = listener;
      reload = () => started.apply(readSettings());
      for (const request of waiting) request(started);
    },
    listener(event) {
      if (event.event === "watcher:stopping") deadline.set(STOP_MS);
    },
    close() {
      process.off("uncaughtException", fail);
      // A process of its own is about to end: a late signal must not look like its end.
      if (io.exit !== undefined) return;
      unlisten();
      deadline.clear();
      for (const stream of [process.stdout, process.stderr]) stream.off("error", ignore);
    },
  };
}

function ignore(): void {
  // Nobody reads it.
}
