import { findIn, hasWithin, isIn, vocabulary } from "../../lib/prose/vocabulary.ts";

/** Whether a sentence undoes the statement of its author that it names at `statement`, without calling it wrong. */
export function isUndone(words: readonly string[], statement: number): boolean {
  return (
    isIn(noneOf, words[0]) ||
    isReduced(words, statement) ||
    isContrasted(words, statement) ||
    isOutlived(words, statement)
  );
}

/** "Neither of the causes that I named is real." */
const noneOf = vocabulary("neither none");

/** "What I described as a race is just the debounce." */
function isReduced(words: readonly string[], statement: number): boolean {
  return words[statement - 1] === "what" && words.some((word, i) => be.has(word) && isIn(reducing, words[i + 1]));
}

const be = vocabulary("is are was were");
const reducing = vocabulary("just only merely really actually");

/** "It is in one file, not in two as I said." */
function isContrasted(words: readonly string[], statement: number): boolean {
  return words[statement - 1] === "as" && hasWithin(words, statement - CONTRAST_REACH, statement, contrasts);
}

const contrasts = vocabulary("not instead rather");
const CONTRAST_REACH = 12;

/** "I assumed that it is called `a`; it is actually `b`." */
function isOutlived(words: readonly string[], statement: number): boolean {
  const belief = findIn(words, statement, statement + BELIEF_REACH, beliefs);
  return belief >= 0 && hasWithin(words, belief, belief + TURN_REACH, turns);
}

const beliefs = vocabulary("assumed thought believed expected inferred guessed");
const turns = vocabulary("but actually however yet instead");
const BELIEF_REACH = 4;
const TURN_REACH = 40;
