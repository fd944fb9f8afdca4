import { resolve } from "node:path";
import { formatClaudePrompt, isTaskNotification } from "../../harness/claude.ts";
import type { Payload } from "../../harness/payload.ts";
import { silence, type Reply } from "../../harness/reply.ts";
import { renderContext, renderLines, type Delivery } from "../../delivery/render-delivery.ts";
import { claimVerdicts } from "../delivery/delivery.ts";
import { createMark, isMarked, type Mark } from "./once.ts";
import { getStatePaths, type StatePaths } from "../paths.ts";
import type { Edge } from "./run-hooks.ts";
import { getSessionKey, getTranscriptKey, shortHash } from "../transcript-key.ts";
import { isWaitingInVain } from "../delivery/waiting-jobs.ts";

/** What a prompt's hook prints, and what is to be done once that is printed or could not be. */
export interface PromptRun {
  readonly reply: Reply;
  commit(): void;
  putBack(): void;
}

const nothing: PromptRun = { reply: silence, commit: () => {}, putBack: () => {} };

/** A cause that keeps everyone from judging is told once a day, not at every turn. */
const CAUSE_TTL_SECONDS = 86_400;

const noWatcher =
  "catstack: a question about this session has waited for over 10 minutes and no watcher is running. `catstack watch` starts one.";

/**
 * Hands over the verdicts of the session that have come since its last prompt. A prompt that only tells the end of a background command, and
 * one from inside a sub-agent, are not answered. Throws the system's error.
 */
export function runPrompt(payload: Payload, { env, now, hooks }: Pick<Edge, "env" | "now" | "hooks">): PromptRun {
  if (payload.subagent || isTaskNotification(payload.prompt)) return nothing;
  const key = findSessionKey(payload);
  if (key === undefined) return nothing;
  const paths = getStatePaths(env);
  const claims = claimVerdicts(key, { paths, now, ownHooks: hooks.map(({ id }) => id) });
  const causes = claims.deliveries.filter(({ cause }) => cause !== "").map(({ cause }) => getCauseMark(cause, paths));
  const marks = [...causes];
  const lines = [...tellPerson(claims.deliveries, paths, now)];
  const notice = getNoticeMark(key, paths);
  if (!isMarked(notice, now) && mayWaitInVain(key, paths, now)) {
    lines.push(noWatcher);
    marks.push(notice);
  }
  const context = renderContext(claims.deliveries.flatMap(({ agent }) => agent ?? []));
  return {
    reply: formatClaudePrompt(context, lines.join("\n")),
    commit() {
      claims.commit();
      for (const mark of marks) createMark(mark, now);
    },
    putBack: () => claims.putBack(),
  };
}

/** What cannot be seen is not told, and must not keep back what is claimed by now. */
function mayWaitInVain(key: string, paths: StatePaths, now: Date): boolean {
  try {
    return isWaitingInVain(key, paths, now);
  } catch {
    return false;
  }
}

/** The lines for the person. */
function tellPerson(deliveries: readonly Delivery[], paths: StatePaths, now: Date): readonly string[] {
  const told = new Set<string>();
  const lines = deliveries.flatMap(({ person, cause }) => {
    if (person === "") return [];
    if (cause !== "" && (told.has(cause) || isMarked(getCauseMark(cause, paths), now))) return [];
    told.add(cause);
    return [person];
  });
  return renderLines(lines);
}

function getCauseMark(cause: string, { once }: StatePaths): Mark {
  return { dir: once, name: shortHash(`unchecked::${cause}`), content: cause, ttlSeconds: CAUSE_TTL_SECONDS };
}

function getNoticeMark(key: string, { once }: StatePaths): Mark {
  return { dir: once, name: shortHash(`no-watcher::${key}`), content: key };
}

/** The transcript need not exist yet: the client makes it after the first prompt. */
function findSessionKey({ transcriptPath, sessionId, harness }: Payload): string | undefined {
  if (transcriptPath !== undefined) return getTranscriptKey(resolve(transcriptPath));
  return sessionId === undefined ? undefined : getSessionKey(harness, sessionId);
}
