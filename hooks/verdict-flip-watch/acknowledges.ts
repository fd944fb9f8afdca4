import type { Target } from "../../lib/commands/check.ts";
import { mentionsCheck, selectNamed } from "./names.ts";
import { hasPronoun, isElliptic, statesFailure, takesBackStatus } from "./phrases.ts";

/**
 * The targets whose failure the reply reports itself, or whose earlier status it takes back. Knows English only. A statement
 * that names one target owns that one; a statement about "the tests" or "it" owns every target it may mean.
 */
export function selectOwned(reply: string, targets: readonly Target[]): readonly Target[] {
  const owned = new Set<Target>();
  for (const paragraph of reply.split(/\n\s*\n/)) {
    for (const sentence of paragraph.split(/(?<=[.!?…])\s+|\n/)) {
      for (const target of selectOwnedBySentence(sentence, paragraph, targets)) owned.add(target);
    }
  }
  return targets.filter((target) => owned.has(target));
}

function selectOwnedBySentence(sentence: string, paragraph: string, targets: readonly Target[]): readonly Target[] {
  const about = (text: string): boolean => mentionsCheck(text, targets);
  if (takesBackStatus(sentence, about(sentence))) return selectNamed([sentence, paragraph], targets);
  return splitClauses(sentence).flatMap((clause, index) => {
    if (!statesFailure(clause, sentence)) return [];
    const leansOnText = isElliptic(clause) && (index === 0 || about(sentence) || about(paragraph));
    const isAboutCheck = about(clause) || hasPronoun(clause) || leansOnText;
    return isAboutCheck ? selectNamed([clause, sentence, paragraph], targets) : [];
  });
}

/**
 * Parts that say one thing each, so that a "not" or a "fixed" reaches no further than it should. A part may begin with the
 * word that makes it a condition.
 */
function splitClauses(sentence: string): readonly string[] {
  return sentence.split(
    /;|\||[—–]|,\s|:\s(?!\d)|\b(?:and|but|so|then|however|although|though|because|since|while|whereas|which|why|except|apart from|other than)\b|(?=\b(?:if|when|whenever|whether|unless|until|once)\b)/i,
  );
}
