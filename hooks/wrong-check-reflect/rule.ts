import { defineHook, type HookInput, type HookOutcome } from "../../lib/hook.ts";
import { draftQuestion } from "../../lib/phrases/draft-question.ts";
import { parsePhrases } from "../../lib/phrases/parse-phrases.ts";
import { cutReply } from "../../lib/prose/cut-reply.ts";
import { getTextKey } from "../../lib/text-key.ts";
import { findRetraction } from "./find-retraction.ts";
import json from "./phrases.json" with { type: "json" };
import { selectPassage } from "./select-passage.ts";

const phrases = parsePhrases(json, "hooks/wrong-check-reflect/phrases.json");

/** Slash commands by which a person has asked for the same: behind a plugin's name as well. */
const ASKED = /^(?:.*:)?(?:reflect|automate-me|flag-your-own-corrections)$/;

export default defineHook({
  id: "wrong-check-reflect",
  description: "Reports a reply that takes back something which the agent has said earlier.",
  events: ["Stop"],
  defaultMode: "observe",
  messages: {},
  check,
});

/** Whether a reply may take something back is told by its words (`find-retraction.ts`), whether it does by the judge. Asked once a reply. */
function check({ reply, digest }: HookInput): HookOutcome {
  const isAsked = (digest.invoked ?? []).some((command) => ASKED.test(command));
  const text = cutReply(reply);
  const found = isAsked ? undefined : findRetraction(text);
  if (found === undefined) return { advice: [], jobs: [] };
  const question = draftQuestion(phrases, { reply: selectPassage(text, found), user: digest.lastHuman ?? "" });
  if (question === undefined) return { advice: [], jobs: [] };
  return { advice: [], jobs: [{ ...question, once: { key: getTextKey(text) } }] };
}
