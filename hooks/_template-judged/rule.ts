import { defineHook, type HookInput, type HookOutcome } from "../../lib/hook.ts";
import { draftQuestion } from "../../lib/phrases/draft-question.ts";
import { parsePhrases } from "../../lib/phrases/parse-phrases.ts";
import { getTextKey } from "../../lib/text-key.ts";
import json from "./phrases.json" with { type: "json" };

const phrases = parsePhrases(json, "hooks/_template-judged/phrases.json");

/** Without one of these words nothing is asked, so that an ordinary turn costs nothing. What a reply means is for the judge to say. */
const hints = /\b(?:later|follow-?up|next time|todo)\b/i;

export default defineHook({
  id: "_template-judged",
  description: "Reports a reply that puts off a part of the work that was asked for.",
  events: ["Stop"],
  defaultMode: "observe",
  messages: {},
  check,
});

/** Asked once a reply; where nobody has asked for anything, nothing is put off. */
function check({ reply, digest: { lastHuman } }: HookInput): HookOutcome {
  const mayPutOff = lastHuman !== undefined && hints.test(reply);
  const question = mayPutOff ? draftQuestion(phrases, { reply, user: lastHuman }) : undefined;
  if (question === undefined) return { advice: [], jobs: [] };
  return { advice: [], jobs: [{ ...question, once: { key: getTextKey(reply) } }] };
}
