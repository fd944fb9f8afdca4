import { findStanding, readQuestions, type Question, type Standing } from "./questions.ts";
import { readCodexProvider } from "../../judge/runners/read-codex-provider.ts";
import { openStarts } from "../../judge/schedule/starts.ts";
import { RUNNERS_VARIABLE, selectRunners } from "../../judge/select.ts";
import { readVerdict } from "../../judge/outbox.ts";
import { readJudgeSettings, type JudgeSettings } from "../../judge/settings.ts";
import type { Mode } from "../../inbox-schema/job.ts";
import type { Verdict } from "../../inbox-schema/verdict.ts";
import { getSettingsPath, type StatePaths } from "../../lib/io/paths.ts";
import { shortHash } from "../../lib/io/transcript-key.ts";
import { renderPrompt } from "../../lib/outcome/render-prompt.ts";
import { toPlainLine } from "../../lib/plain-line.ts";
import { ask, canAsk } from "../ask.ts";
import { Failure, UsageError } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { estimateTokens, estimateWait, formatEstimate, type ModeEstimate } from "./estimate.ts";
import { isWatched, judgeQuestions } from "./judge.ts";
import { BACKTEST } from "./name.ts";
import type { Options } from "./parse-options.ts";
import type { Progress } from "./progress.ts";
import type { WalkedSession } from "./walk.ts";

/** A question, and its verdict where it has one. */
export interface Answered {
  readonly question: Question;
  readonly verdict?: Verdict;
}

interface AskOptions extends Pick<Options, "hooks" | "since" | "yes"> {
  readonly io: CliIo;
  readonly paths: StatePaths;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

const MODES: readonly Mode[] = ["default", "investigate"];

/**
 * Asks what the hooks would have asked, once a person has seen what that costs and said yes. Throws a UsageError where nobody can be asked for that, and a Failure
 * for settings that cannot be followed. Undefined: it was ended before all questions were known.
 */
export async function askJudge(
  sessions: readonly WalkedSession[],
  { hooks, since, yes, io, paths, progress, signal }: AskOptions,
): Promise<readonly Answered[] | undefined> {
  const settings = readSettings(io);
  const tell = (problem: string): void => io.err(`catstack backtest: ${toPlainLine(problem)}`);
  const questions = await readQuestions(sessions, hooks, since, { tell, signal });
  if (signal.aborted) return undefined;
  const standings = questions.map((question) => findStanding(question, paths));
  const open = uniqueById(standings.filter(({ verdict }) => verdict === undefined));
  if (open.length > 0) {
    const lines = estimate(open, standings.length, settings, paths, io);
    progress.clear();
    for (const line of lines) io.err(line);
    if (!yes && !canAsk(io))
      throw new UsageError(
        "expected --yes beside --judge where no terminal is there to ask, got none; nothing was asked",
      );
    if (!yes && !(await ask("Ask them?", io, signal))) {
      io.err("nothing was asked");
    } else {
      io.err(isWatched(paths) ? "the watcher that runs judges them" : "no watcher runs, so they are judged here");
      const report = (error: unknown): void => tell(String(error));
      const judging = { paths, env: io.env, settings, now: io.now, progress, signal, report };
      const { left, because } = await judgeQuestions(open, judging);
      progress.clear();
      if (left > 0) io.err(`${left} left to ask: ${because}; the same command goes on from here`);
    }
  }
  return standings.map(({ question, id, verdict = readVerdict(paths, id) }) =>
    verdict === undefined ? { question } : { question, verdict },
  );
}

/** Two drafts of one turn may be the same question. */
function uniqueById(standings: readonly Standing[]): readonly Standing[] {
  return [...new Map(standings.map((standing) => [standing.id, standing])).values()];
}

function readSettings(io: CliIo): JudgeSettings {
  const read = readJudgeSettings(getSettingsPath(io.env));
  if (!read.ok) throw new Failure(`${read.reason}; correct the file`);
  return read.settings;
}

function estimate(
  open: readonly Standing[],
  total: number,
  settings: JudgeSettings,
  paths: StatePaths,
  io: CliIo,
): readonly string[] {
  const now = io.now().getTime();
  const { jobsPerHour: perHour, jobsPerDay: perDay, hookShare } = settings;
  const caps = { perHour, perDay, hookShare };
  const wait = estimateWait(open.length, caps, openStarts(paths).list(now), now, shortHash(BACKTEST));
  const modes = MODES.flatMap((mode) => estimateMode(mode, open, settings, io));
  return formatEstimate({ modes, known: total - open.length, caps, ...wait });
}

function estimateMode(mode: Mode, open: readonly Standing[], { runners }: JudgeSettings, io: CliIo): ModeEstimate[] {
  const drafts = open.flatMap(({ question }) => (question.mode === mode ? [question.draft] : []));
  if (drafts.length === 0) return [];
  const { env } = io;
  const provider = readCodexProvider(env);
  const selection = selectRunners({ mode, override: env[RUNNERS_VARIABLE], runnerSets: runners, provider });
  if (!selection.ok) throw new Failure(selection.reason);
  const characters = drafts.reduce((sum, draft) => sum + renderPrompt(draft, () => "0".repeat(38)).prompt.length, 0);
  const names = selection.runners.map(({ name }) => name);
  return [{ mode, questions: drafts.length, tokens: estimateTokens(characters), runners: names }];
}
