import { existsSync, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Failure, UsageError } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { formatLogLine } from "./logs/format-log-line.ts";
import { openLog } from "./logs/open-log.ts";
import { openStateDir } from "./state-dir.ts";

/** Four looks a second: at once for a person, next to nothing for a machine, and no event can be missed. */
const LOOK_MS = 250;

/** `catstack logs [-f] [-n N] [--json]`: the last lines of the judge's log, and with `-f` those that come, until a signal. */
export async function logs(args: readonly string[], io: CliIo): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      follow: { type: "boolean", short: "f", default: false },
      lines: { type: "string", short: "n", default: "20" },
      json: { type: "boolean", default: false },
    },
  });
  const lines = parseLines(values.lines);
  const path = openStateDir(io.env).judgeLog;
  checkLog(path, values.follow, io);
  const print = (line: string) => io.out(values.json ? line : formatLogLine(line, io.color));
  // Before the first line: whoever sees it may send a signal or go away.
  const end = values.follow ? listenForEnd() : undefined;
  try {
    const log = openLog(path, lines);
    log.readLines(print);
    while (end?.signal.aborted === false) {
      await delay(LOOK_MS, undefined, end).catch(() => {});
      log.readLines(print);
    }
    log.close(print);
  } finally {
    end?.close();
  }
  return 0;
}

function parseLines(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new UsageError(`expected --lines to be a number from 0, got ${JSON.stringify(text)}`);
  return Number(text);
}

/** Says it when there is nothing yet. Throws a Failure for what can never become a log. */
function checkLog(path: string, isFollowed: boolean, io: CliIo): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined && !existsSync(`${path}.1`)) {
    const next = isFollowed ? "waiting for" : "it is begun by";
    io.err(`note: no log at ${path} yet; ${next} the first \`catstack watch\``);
  }
  if (stats !== undefined && !stats.isFile()) {
    const got = stats.isDirectory() ? "a folder" : "something that is no file";
    throw new Failure(`expected a log at ${path}, got ${got}; move it away`);
  }
}

/** Aborts at a signal, and when nobody reads any more what is printed. */
function listenForEnd(): { readonly signal: AbortSignal; close(): void } {
  const controller = new AbortController();
  const end = () => controller.abort();
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, end);
  process.stdout.on("error", end);
  return {
    signal: controller.signal,
    close() {
      for (const signal of signals) process.off(signal, end);
      process.stdout.off("error", end);
    },
  };
}
