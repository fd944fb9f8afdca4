import { hasWithin, isIn, vocabulary } from "../../lib/prose/vocabulary.ts";

/** What a statement is called. */
export const statements = vocabulary(`
  claim claims statement statements answer answers analysis diagnosis conclusion conclusions explanation finding findings count counts summary report assumption
  assumptions message reply reading check search grep theory hypothesis estimate suggestion recommendation proposal citation assessment verdict rule advice number
  numbers figure figures table list review comment note cause causes framing arithmetic math reasoning guess assertion premise response interpretation description
  account pass status result results
`);

/** They are the author's own wherever nobody else is named. */
const ownByDefault = vocabulary(
  "claim statement diagnosis conclusion analysis hypothesis theory assertion framing arithmetic reasoning explanation citation advice",
);

const said = vocabulary(`
  said stated told claimed reported wrote written called listed gave given described named suggested confirmed concluded counted recorded answered mentioned noted
  identified attributed marked labeled labelled presented recommended cited quoted thought believed assumed asserted declared implied treated dismissed proposed
  pointed put flagged guessed diagnosed blamed credited framed inferred
`);
const making = vocabulary("made gave had used drew posted sent listed");
const betweenIAndVerb = vocabulary(
  "had have previously earlier just originally initially first also already only both even clearly simply confidently",
);

const earlier = vocabulary("earlier previous prior original initial");
const behind = vocabulary("earlier above before previously");
/** Before other nouns these name no statement: "the last check". */
const latest = vocabulary("last first above");
const spoken = vocabulary("message answer reply response statement claim");

const articles = vocabulary("the a that this my , ; : ( ) | — –");
const clauseOpeners = vocabulary("that was is");
const relatives = vocabulary("that which");

/** Where a sentence speaks of something that its author has stated; -1 when it does not. */
export function findOwnStatement(words: readonly string[]): number {
  return words.findIndex((word, i) => {
    if (word === "i") return saysSomething(words, i);
    if (word === "my") return hasWithin(words, i + 1, i + 5, statements);
    if (statements.has(word)) return isMadeByAuthor(words, i) || isToldBefore(words, i) || isOwnByDefault(words, i);
    if (earlier.has(word)) return isUnclaimed(words, i) && hasWithin(words, i + 1, i + 3, statements);
    return latest.has(word) && isUnclaimed(words, i) && isIn(spoken, words[i + 1]);
  });
}

/** "I had earlier told". */
function saysSomething(words: readonly string[], i: number): boolean {
  let at = i + 1;
  while (isIn(betweenIAndVerb, words[at])) at++;
  return isIn(said, words[at]);
}

/** "A claim I made", "the count that I gave you". */
function isMadeByAuthor(words: readonly string[], i: number): boolean {
  const at = isIn(relatives, words[i + 1]) ? i + 2 : i + 1;
  return words[at] === "i" && hasWithin(words, at + 1, at + 4, making);
}

/** "The figures from before", "the table above". */
function isToldBefore(words: readonly string[], i: number): boolean {
  const at = words[i + 1] === "from" ? i + 2 : i + 1;
  return isUnclaimed(words, i) && isIn(behind, words[at]);
}

/** "The conclusion that", "arithmetic was". */
function isOwnByDefault(words: readonly string[], i: number): boolean {
  return isIn(ownByDefault, words[i]) && isUnclaimed(words, i) && isIn(clauseOpeners, words[i + 1]);
}

/** Not "the user's claim". */
function isUnclaimed(words: readonly string[], i: number): boolean {
  return i === 0 || isIn(articles, words[i - 1]);
}
