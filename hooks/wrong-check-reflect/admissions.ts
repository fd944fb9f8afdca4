import { findIn, hasWithin, isIn, vocabulary } from "../../lib/prose/vocabulary.ts";
import { takesBack } from "./idioms.ts";
import { findPastWrongness, isPredicate, plainlyWrong, wrongly } from "./wrongness.ts";

const speakers = vocabulary("i we");
const owners = vocabulary("my our");

/** Verbs that say of a person that a statement or a reading of theirs was wrong. */
const misdid = vocabulary(`
  misread misstated misspoke misreported misunderstood misinterpreted misremembered misdiagnosed miscounted misjudged misattributed mislabeled mislabelled misquoted
  mischaracterized mischaracterised mistook misidentified misled overstated overclaimed oversold exaggerated overlooked conflated confused mixed fabricated invented
  lied hallucinated retract retracted withdraw withdrew botched muddled
`);
const betweenSpeakerAndVerb = vocabulary(
  "had have did just also simply clearly partly previously earlier originally initially must may might apparently completely totally hereby therefore now actually then both",
);
const faults = vocabulary("mistake error fault bad miss apologies oversight misreading misunderstanding slip");
const apologies = vocabulary("apologies apologize apologise sorry");
const regretted = vocabulary(
  "confusion mistake mistakes error errors misinformation wrong incorrect misleading mix-up misunderstanding oversight earlier previous inaccurate",
);
const labels = vocabulary("correction erratum retraction corrigendum");
const marks = vocabulary(": — – , ( to");
const breaks = vocabulary(", ; : ( ) | — –");
const states = vocabulary("was were am are is be been had got get have read took understood remembered");

/** How far behind "sorry" its reason may stand. */
const REASON = 6;
/** How far behind "I was" or "my plan was" the word may stand. */
const REACH = 8;

/** Where a sentence admits that its author was wrong, whatever it was about; -1 when it does not. */
export function findAdmission(words: readonly string[]): number {
  if (isIn(labels, words[0]) && isIn(marks, words[1])) return 0;
  const pastWrongness = findPastWrongness(words);
  return words.findIndex(
    (word, i) =>
      i === pastWrongness ||
      (speakers.has(word) && admits(words, i)) ||
      (owners.has(word) && ownsFault(words, i)) ||
      (apologies.has(word) && hasWithin(words, i + 1, i + REASON, regretted)) ||
      takesBack(words, i),
  );
}

/** "I had misread", "I was wrong", "I incorrectly assumed". */
function admits(words: readonly string[], i: number): boolean {
  let at = i + 1;
  while (isIn(betweenSpeakerAndVerb, words[at])) at++;
  if (isIn(misdid, words[at]) || isIn(wrongly, words[at])) return true;
  return hasWithin(words, i + 1, at + 1, states) && isCalledWrong(words, i);
}

/** "My mistake", "my D2 was wrong". */
function ownsFault(words: readonly string[], i: number): boolean {
  return isIn(faults, words[i + 1]) || isCalledWrong(words, i);
}

function isCalledWrong(words: readonly string[], i: number): boolean {
  const end = findIn(words, i + 1, i + REACH, breaks);
  const found = findIn(words, i + 1, end < 0 ? i + REACH : end, plainlyWrong);
  return found >= 0 && isPredicate(words, found);
}
