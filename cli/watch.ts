import { parseArgs } from "node:util";
import { probeInstance, readInstances } from "../lib/io/instance.ts";
import { getSettingsPath, getStatePaths, type StatePaths } from "../lib/io/paths.ts";
import { errorCode } from "../lib/io/publish-file.ts";
import type { Tally } from "../judge/health/tally.ts";
import type { Watcher, WatcherEnd } from "../judge/watcher.ts";
import type { CliIo } from "./io.ts";

/** Codes of sysexits, which supervisors know. */
const EXIT_TEMPORARY = 75;
const EXIT_PERMISSION = 77;
const EXIT_CONFIGURATION = 78;

/** How long running jobs may go on after a signal. Supervisors wait 30 s or more. */
const GRACE_MS = 10_000;
const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * `catstack watch [--once]`: judges what is dropped into the inbox until a signal comes, or with `--once` until nothing is left.
 * 0 after a signal or when done, 75 for a passing fault, 77 where the state directory cannot be written, 78 for broken settings.
 */
export async function watch(args: readonly string[], io: CliIo): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { once: { type: "boolean", default: false } } });
  const signalled = listenForSignals();
  try {
    // Only now: what these load installs signal listeners of its own, which end the process where ours are not there yet.
    const { readJudgeSettings } = await import("../judge/settings.ts");
    const settings = readJudgeSettings(getSettingsPath(io.env));
    if (!settings.ok) {
      io.err(`catstack watch: ${settings.reason}`);
      return EXIT_CONFIGURATION;
    }
    const { startWatcher } = await import("../judge/watcher.ts");
    const { createLogListener } = await import("../judge/health/log.ts");
    const paths = getStatePaths(io.env);
    for (const pid of findOtherWatchers(paths))
      io.err(`catstack watch: another watcher runs (pid ${pid}); both take jobs`);
    const watcher = await startWatcher({
      paths,
      env: io.env,
      settings: settings.settings,
      once: values.once,
      now: io.now,
      listener: createLogListener(paths.judgeLog, io.now, values.once ? undefined : (line) => io.err(line)),
      report: (error) => io.err(`catstack watch: ${error instanceof Error ? error.message : String(error)}`),
      graceMs: GRACE_MS,
    });
    signalled.connect(watcher);
    if (!values.once)
      io.out(`catstack watch: ready, watching ${paths.inbox}, ${settings.settings.concurrency} at a time`);
    const end = await watcher.ended;
    if (values.once) io.out(formatSummary(end));
    if (end.code !== 0) io.err(`catstack watch: ${end.reason}`);
    return end.code;
  } catch (error) {
    return explain(error, io);
  } finally {
    signalled.close();
  }
}

function findOtherWatchers(paths: StatePaths): number[] {
  return readInstances(paths).flatMap((instance) => (probeInstance(instance) === "alive" ? [instance.pid] : []));
}

/** The first signal asks the watcher to stop, every later one kills what it runs. */
function listenForSignals(): { connect(watcher: Watcher): void; close(): void } {
  const received: string[] = [];
  let watcher: Watcher | undefined;
  const onSignal = (signal: string) => {
    received.push(signal);
    if (received.length === 1) watcher?.stop(signal);
    else watcher?.kill(signal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    connect(started) {
      watcher = started;
      if (received[0] !== undefined) started.stop(received[0]);
      if (received[1] !== undefined) started.kill(received[1]);
    },
    close() {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}

/** What a supervisor should do about it is in the code: try again, or wait for a person. */
function explain(error: unknown, io: CliIo): number {
  const code = errorCode(error) ?? "";
  if (!/^E[A-Z0-9]+$/.test(code)) throw error;
  if (["ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "EIO"].includes(code)) {
    io.err(`catstack watch: ${String(error)}; try again later`);
    return EXIT_TEMPORARY;
  }
  const advice = "make it so, or name another in CATSTACK_LLM_JUDGE_STATE_DIR";
  io.err(`catstack watch: expected a state directory that can be written, got ${String(error)}; ${advice}`);
  return ["EACCES", "EPERM", "EROFS"].includes(code) ? EXIT_PERMISSION : EXIT_CONFIGURATION;
}

/** "judged 3 (1 hit, 1 clean, 1 unchecked), 0 dead, 0 left in the inbox" */
function formatSummary({ tally, left }: WatcherEnd): string {
  const { hit, clean, unchecked, dead }: Tally["counts"] = tally.counts;
  const judged = `judged ${hit + clean + unchecked} (${hit} hit, ${clean} clean, ${unchecked} unchecked)`;
  return `${judged}, ${dead} dead, ${left} left in the inbox`;
}
