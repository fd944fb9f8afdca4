import { defineHook, type HookInput, type HookOutcome, type QuestionDraft } from "../../lib/hook.ts";
import { cutReply } from "../../lib/prose/cut-reply.ts";
import { getTextKey } from "../../lib/text-key.ts";
import { countWords } from "./count-words.ts";
import { findJargon } from "./find-jargon.ts";
import { selectProse } from "./prose.ts";
import { draftJargon, draftLength, phrases } from "./questions.ts";
import { wantsLength } from "./wants-length.ts";

/** A reply of no more words is never too long. */
const MOST_WORDS = 150;

export default defineHook({
  id: "diu-stop",
  description:
    "Reports a reply that is longer than its question calls for, or that speaks in jargon which the person has not used.",
  events: ["Stop"],
  defaultMode: "observe",
  messages: {},
  check,
});

/**
 * Two questions, each once a reply. Both hold the reply against the person's message: without one nothing is asked. Of a slash command nobody
 * here knows how long an answer it wants.
 */
function check({ reply, digest }: HookInput): HookOutcome {
  const { lastHuman = "", invoked = [] } = digest;
  if (lastHuman.trim() === "") return { advice: [], jobs: [] };
  const text = cutReply(reply);
  const prose = selectProse(text);
  const count = countWords(prose);
  const isLong = count > MOST_WORDS && invoked.length === 0 && !wantsLength(lastHuman);
  const length = isLong ? draftLength(prose, count, lastHuman) : undefined;
  const jargon = draftJargon(findJargon(phrases, prose, lastHuman), lastHuman);
  const key = getTextKey(text);
  return { advice: [], jobs: [length, jargon].flatMap((draft) => (draft ? [withKey(draft, key)] : [])) };
}

function withKey(draft: QuestionDraft, key: string): QuestionDraft {
  return { ...draft, once: { key: `${draft.ruleId}:${key}` } };
}
