import { fileURLToPath } from "node:url";
import { hooks as ownHooks } from "../hooks/index.ts";
import type { Hook } from "../lib/hook.ts";
import { toPlainLine } from "../lib/plain-line.ts";
import { askJudge, type Answered } from "./backtest/ask-judge.ts";
import { getCodeName, openResultCache } from "./backtest/cache.ts";
import { findAlike } from "./backtest/case-id.ts";
import { collectStates, countVerdicts, scoreLabels, type States } from "./backtest/collect-findings.ts";
import { findTranscripts } from "./backtest/find-transcripts.ts";
import {
  formatCoverage,
  formatHooks,
  formatScore,
  formatVerdicts,
  plural,
  type Coverage,
  type Verdicts,
} from "./backtest/format-report.ts";
import { listenForInterrupt } from "./backtest/interrupt.ts";
import type { Case, Label } from "./backtest/label-lines.ts";
import { addCases, checkCaseFile, readCases, readLabels } from "./backtest/labels-file.ts";
import { parseOptions, type Options } from "./backtest/parse-options.ts";
import { openProgress } from "./backtest/progress.ts";
import type { HookScore } from "./backtest/score-hook.ts";
import { selectCandidates } from "./backtest/select-cases.ts";
import { summarise } from "./backtest/summarise.ts";
import { toFindingsJson, type Findings } from "./backtest/to-json.ts";
import { walkTranscripts, type Walk, type WalkedSession } from "./backtest/walk.ts";
import { Failure } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { openStateDir } from "./state-dir.ts";

/** As a shell says it of a program that SIGINT ended. */
const EXIT_INTERRUPTED = 130;

/**
 * `catstack backtest`: what the hooks would have said and asked in past sessions, and with labels how well. 1 when no session could be read, 130 after
 * Ctrl-C: what was found out is kept, and the next run goes on from there.
 */
export async function backtest(args: readonly string[], io: CliIo): Promise<number> {
  return testHooks(args, io, ownHooks);
}

/** The same for hooks that are given. */
export async function testHooks(args: readonly string[], io: CliIo, hooks: readonly Hook[]): Promise<number> {
  const options = parseOptions(args, hooks, io);
  const labels = options.labels === undefined ? [] : readLabels(options.labels);
  if (options.export !== undefined) checkCaseFile(options.export);
  const interrupt = listenForInterrupt();
  const progress = openProgress(process.stderr);
  interrupt.signal.addEventListener("abort", () => io.err("ending; Ctrl-C once more ends at once"));
  try {
    const context = { io, options, labels, progress, signal: interrupt.signal };
    return await run(context);
  } finally {
    progress.clear();
    interrupt.close();
  }
}

interface Context {
  readonly io: CliIo;
  readonly options: Options;
  readonly labels: readonly Label[];
  readonly progress: ReturnType<typeof openProgress>;
  readonly signal: AbortSignal;
}

async function run(context: Context): Promise<number> {
  const { io, options, progress, signal } = context;
  const { hooks, since } = options;
  const found = findTranscripts(options.places);
  const files = found.files.filter(({ changedAt }) => since === null || changedAt >= since.getTime());
  const paths = openStateDir(io.env);
  const hookIds = hooks.map(({ id }) => id);
  const cache = openResultCache(paths, getCodeName(fileURLToPath(import.meta.url)), hookIds);
  const walk = await walkTranscripts(files, { hooks, cache, progress, signal });
  cache.prune(io.now());
  progress.clear();
  const problems = [...found.problems, ...walk.problems];
  for (const problem of problems) io.err(`catstack backtest: ${toPlainLine(problem)}`);
  if (walk.left > 0) {
    io.err(`ended with ${plural(walk.left, "file")} of ${files.length} left; the same command goes on from here`);
    return EXIT_INTERRUPTED;
  }
  const sessions = walk.sessions.filter(({ result }) => result.kind === "session");
  if (sessions.length === 0) throw new Failure(describeNothing(options, files.length));
  if (options.judge || options.labels !== undefined || options.export !== undefined)
    for (const alike of findAlike(sessions.map(({ path }) => path))) io.err(describeAlike(alike));
  const answers = options.judge ? await askJudge(sessions, { ...options, io, paths, progress, signal }) : undefined;
  const findings = collectFindings(context, walk, { sessions, problems, answers });
  if (options.json) io.out(JSON.stringify(toFindingsJson(findings)));
  else for (const line of formatFindings(findings, options)) io.out(line);
  if (options.export !== undefined) await exportCases(options.export, sessions, options, answers, io);
  return signal.aborted ? EXIT_INTERRUPTED : 0;
}

function describeNothing({ places, since }: Options, files: number): string {
  const window = since === null ? "" : ` changed since ${since.toISOString()}`;
  const got = files === 0 ? `no .jsonl file${window}` : `${plural(files, "file")}${window}, none of a session`;
  return `expected sessions of Claude Code, Codex or Cursor in ${places.join(", ")}, got ${got}; name another folder or a longer --since`;
}

/** A case is named by its file and the folder of that, so that a label holds wherever all sessions lie. */
function describeAlike(paths: readonly string[]): string {
  const shown = paths.map(toPlainLine).join(", ");
  return `catstack backtest: turns of these ${paths.length} files have the same ids, and a label of one counts for all: ${shown}; name all but one of them in no folder that is read`;
}

interface Material {
  readonly sessions: readonly WalkedSession[];
  readonly problems: readonly string[];
  readonly answers: readonly Answered[] | undefined;
}

function collectFindings({ io, options, labels }: Context, walk: Walk, material: Material): Findings {
  const { sessions, problems, answers } = material;
  const { hooks, since } = options;
  const hookIds = hooks.map(({ id }) => id);
  const verdicts = new Map<string, Verdicts>();
  const scores = new Map<string, HookScore>();
  const statesOf = new Map<string, States>();
  let strange = 0;
  for (const id of hookIds) {
    const counts = answers && countVerdicts(id, answers);
    if (counts !== undefined) verdicts.set(id, counts);
    const states = collectStates(sessions, id, since, answers);
    statesOf.set(id, states);
    const scored = scoreLabels(id, sessions, since, labels, { states, isJudged: answers !== undefined });
    if (scored !== undefined) scores.set(id, scored.score);
    strange += scored?.strange ?? 0;
  }
  if (options.labels !== undefined && scores.size === 0)
    io.err(`no line of ${options.labels} says whether a hook should fire; put true or false behind "hit"`);
  if (strange > 0) io.err(`${plural(strange, "label")} of turns that were not read left out`);
  const report = summarise(sessions, hookIds, since, statesOf);
  return { report, coverage: getCoverage(walk), problems, since, verdicts, scores };
}

function getCoverage({ sessions }: Walk): Coverage {
  const count = (kind: string) => sessions.filter(({ result }) => result.kind === kind).length;
  const broken = sessions.reduce((sum, { result }) => sum + (result.kind === "session" ? result.broken : 0), 0);
  const cursor = sessions.filter(({ result }) => result.kind === "session" && result.harness === "cursor").length;
  return { files: sessions.length, cursor, subagents: count("sub-agent"), foreign: count("other"), broken };
}

function formatFindings({ report, coverage, verdicts, scores }: Findings, { judge }: Options): readonly string[] {
  const scored = [...scores].flatMap(([id, score]) => {
    const asks = (report.hooks.find((hook) => hook.id === id)?.asks ?? 0) > 0;
    return formatScore(id, asks, judge, score);
  });
  return [
    formatCoverage(report, coverage),
    "",
    ...formatHooks(report),
    ...(verdicts.size === 0 ? [] : ["", ...formatVerdicts(verdicts)]),
    ...(scored.length === 0 ? [] : ["", ...scored]),
  ].map((line) => line.trimEnd());
}

async function exportCases(
  path: string,
  sessions: readonly WalkedSession[],
  { hooks, since }: Options,
  answers: readonly Answered[] | undefined,
  io: CliIo,
): Promise<void> {
  const tell = (problem: string): void => io.err(`catstack backtest: ${toPlainLine(problem)}`);
  const cases: Case[] = [];
  for (const { id } of hooks) {
    const states: States = collectStates(sessions, id, since, answers);
    cases.push(
      ...(await readCases(selectCandidates(sessions, id, since), ({ id }) => states.get(id) ?? "silent", tell)),
    );
  }
  const added = addCases(path, cases);
  io.err(
    `${plural(added, "case")} added to ${path}; put true or false behind "hit" for whether the hook should fire there`,
  );
}
