import type { Mode } from "../../inbox-schema/job.ts";
import type { Verdict } from "../../inbox-schema/verdict.ts";
import { readVerdict } from "../../judge/outbox.ts";
import type { Harness, Hook, QuestionDraft } from "../../lib/hook.ts";
import { createFenceNonce } from "../../lib/io/edge/fence-key.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { getSessionKey, shortHash } from "../../lib/io/transcript-key.ts";
import { stampJob } from "../../lib/outcome/stamp-job.ts";
import { getCaseId } from "./case-id.ts";
import type { CheckedTurn } from "./check-turn.ts";
import { checkSession } from "./check-session.ts";
import { BACKTEST } from "./name.ts";
import { isWithin, listActive } from "./summarise.ts";
import { tryTranscript } from "./try-transcript.ts";
import type { WalkedSession } from "./walk.ts";

/** Verdicts are delivered to this key. It is no live session's: hooks make theirs of paths, and of other words. */
export const BACKTEST_KEY = getSessionKey(BACKTEST, "");

/** Something that a hook would have asked a model at the end of a turn. */
export interface Question {
  /** Of the turn, for this hook. */
  readonly caseId: string;
  readonly path: string;
  readonly harness: Harness;
  readonly mode: Mode;
  readonly draft: QuestionDraft;
  /** The same for the same question about the same turn: a second run finds the first one's verdict. */
  readonly baseId: string;
}

/**
 * Reads the sessions in which a hook asks once more, for what it asks. `tell` hears of those that cannot be read, which are left out, as is what was not
 * read when `signal` was aborted.
 */
export async function readQuestions(
  sessions: readonly WalkedSession[],
  hooks: readonly Hook[],
  since: Date | null,
  { tell, signal }: { readonly tell: (problem: string) => void; readonly signal: AbortSignal },
): Promise<readonly Question[]> {
  const active = hooks.flatMap(({ id }) => listActive(sessions, id, since));
  const paths = new Set(active.flatMap(({ path, firing }) => (firing.asks.length > 0 ? [path] : [])));
  const found: Question[] = [];
  for (const path of paths) {
    if (signal.aborted) break;
    const read = () => readSession(path, { hooks, since, signal });
    found.push(...((await tryTranscript(path, read, { tell, signal })) ?? []));
  }
  return found;
}

interface SessionOptions {
  readonly hooks: readonly Hook[];
  readonly since: Date | null;
  readonly signal: AbortSignal;
}

async function readSession(path: string, { hooks, since, signal }: SessionOptions): Promise<readonly Question[]> {
  const found: Omit<Question, "harness">[] = [];
  const onTurn = ({ fired }: CheckedTurn): void => {
    for (const { firing, questions } of fired) {
      if (!isWithin(firing.at, since)) continue;
      for (const draft of questions) {
        const key = JSON.stringify([firing.hook, path, firing.turn, draft]);
        found.push({
          caseId: getCaseId(firing.hook, path, firing.turn),
          path,
          mode: draft.mode ?? "default",
          draft,
          baseId: `${BACKTEST}-${shortHash(key)}`,
        });
      }
    }
  };
  const { harness } = await checkSession(path, hooks, { onTurn, signal });
  return found.map((question) => ({ ...question, harness }));
}

/** What is known of a question: its verdict, or the id under which it is to be asked. */
export interface Standing {
  readonly question: Question;
  readonly id: string;
  readonly verdict?: Verdict;
}

/** So often a question that nobody could answer is asked anew, each time in another run. */
const MAX_TRIES = 9;

/** Where a question stands. One that was left unchecked is asked anew under the next id. */
export function findStanding(question: Question, paths: StatePaths): Standing {
  const { baseId } = question;
  for (let tries = 1; ; tries++) {
    const id = tries === 1 ? baseId : `${baseId}-${tries}`;
    const verdict = readVerdict(paths, id);
    if (verdict === undefined) return { question, id };
    if (verdict.outcome !== "unchecked" || tries === MAX_TRIES) return { question, id, verdict };
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Makes the job of a question. The key of the fences is the hooks' own: what was answered for a live session need not be asked again. */
export function createJobMaker(paths: StatePaths) {
  const nonceOf = createFenceNonce(paths);
  return ({ question, id }: Standing, now: Date) =>
    stampJob(question.draft, {
      id,
      hook: BACKTEST,
      harness: question.harness,
      transcript: question.path,
      transcriptKey: BACKTEST_KEY,
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + DAY_MS).toISOString(),
      nonceOf,
    });
}
