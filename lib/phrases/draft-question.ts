import type { JudgedText, QuestionDraft } from "../hook.ts";
import type { PhraseDictionary } from "./phrase-dictionary.ts";

/** The texts of a turn; a dictionary takes those that it reads. */
export interface Exchange {
  /** The assistant's last text. */
  readonly reply: string;
  /** The person's last message. */
  readonly user: string;
}

/** Of the answer: `match` decides, and `closest` shows that the model has read what it judges. */
const MATCH = "match";
const CLOSEST = "closest";

/**
 * The question whether a text says what a dictionary means. The edge puts the texts inside fences that they cannot close and cuts them to
 * their last 4,000 characters. An answer whose `closest` does not stand in them is no answer. Undefined: there is nothing to judge.
 */
export function draftQuestion(phrases: PhraseDictionary, exchange: Exchange): QuestionDraft | undefined {
  const texts = selectTexts(phrases, exchange);
  if (texts.at(-1)?.text.trim() === "") return undefined;
  return {
    ruleId: `${phrases.checker}.${MATCH}`,
    onHit: phrases.on_hit,
    hitIfAllTrue: [MATCH],
    quoted: [CLOSEST],
    instruction: writeInstruction(phrases),
    texts,
  };
}

/** The last one is judged. */
function selectTexts({ reads }: PhraseDictionary, { reply, user }: Exchange): readonly JudgedText[] {
  const ofReply = { label: "ASSISTANT", text: reply };
  const ofUser = { label: "USER", text: user };
  if (reads === "exchange") return [ofUser, ofReply];
  return [reads === "user" ? ofUser : ofReply];
}

const judged: Readonly<Record<PhraseDictionary["reads"], string>> = {
  reply: "the text of the assistant",
  user: "the message of the user",
  exchange: "the text of the assistant, which answers the message of the user",
};

function writeInstruction({ meaning, reads, match, not_match }: PhraseDictionary): string {
  const lines = [
    `Decide whether ${judged[reads]} says this, in these or other words.`,
    `Meaning: ${meaning}`,
    `Phrases that match: ${JSON.stringify(match)}`,
    `Phrases that do not match: ${JSON.stringify(not_match)}`,
    "What is quoted from elsewhere, negated, supposed, or only described as a phrase does not match. Judge the meaning, not single words.",
    `Answer with exactly one line of JSON and nothing else: {"${MATCH}": true or false, "${CLOSEST}": "..."}`,
    `"${CLOSEST}" is copied letter by letter from ${reads === "user" ? "the message of the user" : "the text of the assistant"}: the words that come closest to the meaning, at most one sentence. It is never empty: where nothing comes close, copy the first words.`,
  ];
  return lines.join("\n");
}
