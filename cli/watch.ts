import { parseArgs } from "node:util";
import { EXIT_CONFIGURATION, EXIT_INTERNAL, EXIT_PERMISSION, EXIT_TEMPORARY } from "../judge/supervision/exit-codes.ts";
import type { Tally } from "../judge/health/tally.ts";
import { watchOwnVersion } from "../judge/supervision/own-version.ts";
import type { WatcherEnd } from "../judge/watcher.ts";
import { probeInstance, readInstances } from "../lib/io/instance.ts";
import { getSettingsPath, getStatePaths, STATE_VARIABLE, type StatePaths } from "../lib/io/paths.ts";
import { errorCode, isSystemError } from "../lib/io/error-code.ts";
import { findFolderRefusal } from "../lib/io/ownership.ts";
import { UsageError } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { findStateDirProblem } from "./state-dir.ts";
import { openProcessEdge, type ProcessEdge } from "./watch/process-edge.ts";

/** How long running jobs may go on after a signal. Supervisors wait 30 s or more. */
const GRACE_MS = 10_000;

interface WatchArgs {
  readonly once: boolean;
  readonly idleExitMs: number | undefined;
}

/**
 * `catstack watch [--once | --idle-exit SECONDS]`: judges what is dropped into the inbox until a signal comes, with `--once` until
 * nothing is left, with `--idle-exit` until there was nothing to do for so long. 0 after a signal or when done, 70 for a mistake of our
 * own, 75 for a passing fault or a new version, 77 where the state directory cannot be written or is within another account's reach, 78 for broken settings or variables.
 */
export async function watch(args: readonly string[], io: CliIo): Promise<number> {
  const parsed = parseWatchArgs(args);
  const edge = openProcessEdge(io);
  try {
    return await runWatcher(parsed, edge, io);
  } catch (error) {
    return explain(error, io);
  } finally {
    edge.close();
  }
}

function parseWatchArgs(args: readonly string[]): WatchArgs {
  const { values } = parseArgs({
    args: [...args],
    options: { once: { type: "boolean", default: false }, "idle-exit": { type: "string" } },
  });
  const { once, "idle-exit": seconds } = values;
  if (seconds === undefined) return { once, idleExitMs: undefined };
  if (once) throw new UsageError("expected --once or --idle-exit, got both; leave one out");
  if (!/^[1-9]\d{0,5}$/.test(seconds))
    throw new UsageError(`expected --idle-exit to be seconds from 1, got ${JSON.stringify(seconds)}`);
  return { once, idleExitMs: Number(seconds) * 1000 };
}

async function runWatcher({ once, idleExitMs }: WatchArgs, edge: ProcessEdge, io: CliIo): Promise<number> {
  // Not at the top: signals are listened for first. What these load takes its time, and installs listeners that end the process.
  const { readJudgeSettings } = await import("../judge/settings.ts");
  const { findRunnersProblem } = await import("./watch/runners-problem.ts");
  const { hooks } = await import("../hooks/index.ts");
  const hookIds = hooks.map(({ id }) => id);
  const readSettings = () => readJudgeSettings(getSettingsPath(io.env), hookIds);
  const settings = readSettings();
  const problem = findStateDirProblem(io.env) ?? findRunnersProblem(io.env);
  if (!settings.ok || problem !== undefined) {
    io.err(`catstack watch: ${settings.ok ? problem : `${settings.reason}; correct the file`}`);
    return EXIT_CONFIGURATION;
  }
  const paths = getStatePaths(io.env);
  const refusal = findFolderRefusal(paths.root, STATE_VARIABLE);
  if (refusal !== undefined) {
    io.err(`catstack watch: ${refusal}`);
    return EXIT_PERMISSION;
  }
  const { argv } = process;
  const program = argv[1] ?? "";
  const onReplaced = () => edge.ask((watcher) => watcher.retire(`${program} was replaced by another`, EXIT_TEMPORARY));
  const unwatch = once ? undefined : watchOwnVersion(program, onReplaced);
  const { startWatcher } = await import("../judge/watcher.ts");
  const { createLogListener } = await import("../judge/health/log.ts");
  const log = createLogListener(paths.judgeLog, io.now, once ? undefined : (line) => io.err(line));
  const report = (error: unknown) =>
    io.err(`catstack watch: ${error instanceof Error ? error.message : String(error)}`);
  for (const pid of findOtherWatchers(paths))
    io.err(`catstack watch: another watcher runs (pid ${pid}); both take jobs`);
  const watcher = await startWatcher({
    paths,
    env: io.env,
    settings: settings.settings,
    once,
    idleExitMs,
    now: io.now,
    listeners: [log, edge.listener],
    report,
    graceMs: GRACE_MS,
  });
  edge.connect(watcher, log, readSettings);
  for (const message of settings.notes) log({ event: "watcher:note", message });
  if (!once) sayReady(`watching ${paths.inbox}, ${settings.settings.concurrency} at a time`, io);
  const end = await watcher.ended;
  unwatch?.();
  if (once) io.out(formatSummary(end));
  if (end.code !== 0) io.err(`catstack watch: ${end.reason}`);
  return end.code;
}

/** A person reads it; a parent that has a channel for messages, such as pm2, waits for it there. */
function sayReady(what: string, io: CliIo): void {
  io.out(`catstack watch: ready, ${what}`);
  process.send?.("ready", undefined, undefined, () => {});
}

function findOtherWatchers(paths: StatePaths): number[] {
  return readInstances(paths).flatMap((instance) => (probeInstance(instance) === "alive" ? [instance.pid] : []));
}

/** What a supervisor should do about it is in the code: try again, or wait for a person. */
function explain(error: unknown, io: CliIo): number {
  if (!isSystemError(error)) {
    io.err(`catstack watch: an error that nobody expected: ${error instanceof Error ? error.stack : String(error)}`);
    return EXIT_INTERNAL;
  }
  const code = errorCode(error) ?? "";
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
  const why = unchecked === 0 ? "" : "; see why unchecked: catstack verdicts";
  return `${judged}, ${dead} dead, ${left} left in the inbox${why}`;
}
