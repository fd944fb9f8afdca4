import type { Target } from "../../lib/commands/check.ts";
import { passesInPart } from "./excuses.ts";
import { deniesSentenceBefore } from "./left-open.ts";
import { mentionsCheck, selectNamed } from "./names.ts";
import { statesFailure } from "./states-failure.ts";
import { hasPronoun, isElliptic, namesFailure, needsNoName } from "./subject.ts";
import { takesBackStatus } from "./takes-back.ts";
import { type Clause, toWords } from "./words.ts";

/** "It fails now": what it means needs no name in so few words. */
const MOST_BRIEF = 6;

const becameGreen = /❌\s*(?:→|->|=>|➜)\s*✅/g;

/** What stands further on in one sentence is no sentence: a table without line ends, or a paste. */
const MAX_SENTENCE = 1000;

/**
 * The targets whose failure the reply reports itself, or whose earlier status it takes back. Knows English only. A statement
 * that names one target owns that one; a statement about "the tests" or "it" owns every target it may mean.
 */
export function selectOwned(reply: string, targets: readonly Target[]): readonly Target[] {
  const owned = new Set<Target>();
  let sentenceBefore = "";
  for (const paragraph of reply.replaceAll(becameGreen, "✅").split(/\n\s*\n/)) {
    for (const sentence of paragraph.split(/(?<=[.!?…])\s+|\n/)) {
      const text = sentence.slice(0, MAX_SENTENCE);
      const found = selectOwnedBySentence(text, { sentenceBefore, paragraph }, targets);
      for (const target of found) owned.add(target);
      if (text.trim() !== "") sentenceBefore = text;
    }
  }
  return targets.filter((target) => owned.has(target));
}

/** Where a sentence stands. */
interface Context {
  readonly sentenceBefore: string;
  readonly paragraph: string;
}

function selectOwnedBySentence(
  text: string,
  { sentenceBefore, paragraph }: Context,
  targets: readonly Target[],
): readonly Target[] {
  const isAbout = (part: string): boolean => mentionsCheck(part, targets);
  const sentence = toWords(text);
  if (isAbout(sentenceBefore) && deniesSentenceBefore(sentence, toWords(sentenceBefore)))
    return selectNamed([sentenceBefore], targets);
  if (takesBackStatus(sentence, () => isAbout(text)) || passesInPart(text))
    return selectNamed([text, paragraph], targets);
  let before: readonly string[] = [];
  return splitClauses(text).flatMap((part, index) => {
    const clause: Clause = { words: toWords(part), before, sentence };
    before = [...before, ...clause.words];
    if (!statesFailure(clause)) return [];
    const leans = isElliptic(clause) || hasPronoun(clause) || namesFailure(clause);
    const isBrief = index === 0 && sentence.length <= MOST_BRIEF;
    const isMeant = needsNoName(clause) || (leans && (isBrief || isAbout(text) || isAbout(paragraph)));
    if (!isMeant && !isAbout(part)) return [];
    return selectNamed([part, text, paragraph], targets);
  });
}

/**
 * Parts that say one thing each, so that a "not" or a "fixed" reaches no further than it should. A part may begin with the
 * word that makes it a condition; a label and its count ("Failures: one") are one part.
 */
function splitClauses(sentence: string): readonly string[] {
  return sentence.split(
    /;|\||[—–]|,\s|:\s(?!\d|(?:none|no(?! longer)|nothing|zero|one|two|three|four|five|six|seven|eight|nine|ten|several)\b)|\b(?:and|but|so|then|however|although|though|because|since|while|whereas|which|why|except|apart from|other than)\b|(?=\b(?:if|when|whenever|whether|unless|until|once)\b)/i,
  );
}
