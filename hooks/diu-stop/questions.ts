import type { QuestionDraft } from "../../lib/hook.ts";
import { fillMessage } from "../../lib/outcome/render-message.ts";
import { draftQuestion } from "../../lib/phrases/draft-question.ts";
import { parsePhrases } from "../../lib/phrases/parse-phrases.ts";
import type { Jargon } from "./find-jargon.ts";
import words from "./phrases.json" with { type: "json" };

export const phrases = parsePhrases(words, "hooks/diu-stop/phrases.json");

/** So many phrases are named to the agent. */
const MOST_NAMED = 4;

/** Whether `prose`, of `count` words, says more than `user` has asked for. */
export function draftLength(prose: readonly string[], count: number, user: string): QuestionDraft {
  const about = Math.round(count / 10) * 10;
  return {
    ruleId: "diu-stop.length",
    onHit: `The last reply has about ${about} words outside code, tables and quotations, which is more than the message it answers calls for.`,
    hitIfAllTrue: ["too_long"],
    quoted: ["needless"],
    instruction: [
      "Decide whether the text of the assistant is longer than the message of the user calls for.",
      `It has about ${about} words outside code, tables and quotations, which are left out here. Where it was cut, its end is shown.`,
      "Too long: a good half could go, and the user would still have what was asked for and what has to be known. What could go is said twice, was not asked for, or tells of steps that nobody needs to follow.",
      "Not too long: the user asked for something long, or for several things that take their room, or the text reports failures, risks or choices that the user must know. Where you are in doubt, it is not too long.",
      'Answer with exactly one line of JSON and nothing else: {"too_long": true or false, "needless": "..."}',
      '"needless" is copied letter by letter from the text of the assistant: the sentence that the user would miss least, and no more than that. It is never empty.',
    ].join("\n"),
    texts: [
      { label: "USER", text: user },
      { label: "ASSISTANT", text: prose.join("\n") },
    ],
  };
}

/** Whether what was found is jargon. Only the lines that hold it are judged. Undefined: nothing was found. */
export function draftJargon({ phrases: found, lines }: Jargon, user: string): QuestionDraft | undefined {
  const draft = draftQuestion(phrases, { reply: lines.join("\n"), user });
  return draft && { ...draft, ruleId: "diu-stop.jargon", onHit: fillMessage(draft.onHit, { words: listWords(found) }) };
}

/** Such as `"seam", "nuke" and 2 more`. */
function listWords(found: readonly string[]): string {
  const named = found.slice(0, MOST_NAMED).map((phrase) => `"${phrase}"`);
  return found.length > MOST_NAMED ? `${named.join(", ")} and ${found.length - MOST_NAMED} more` : named.join(", ");
}
