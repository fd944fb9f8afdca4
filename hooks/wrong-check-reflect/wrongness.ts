import { hasWithin, isIn, vocabulary } from "../../lib/prose/vocabulary.ts";
import { statements } from "./own-statement.ts";
import { createPhrases } from "./words.ts";

/** They call anything wrong. */
export const plainlyWrong = vocabulary(
  "wrong incorrect inaccurate mistaken untrue erroneous incomplete misread misstated",
);

/** They call a statement wrong; of other things they say something else as well: "the cache is stale". */
const wrong = vocabulary(`
  ${[...plainlyWrong].join(" ")} false misleading premature bogus invalid off outdated stale unfounded vacuous flawed backwards dishonest overstated oversold overclaimed
  exaggerated misreported misdiagnosed miscounted misattributed imprecise inexact sloppy hasty nonsense unverified unsupported fabricated invented made-up duplicate
  nonexistent
`);
export const wrongly = vocabulary("wrongly incorrectly mistakenly erroneously falsely prematurely inaccurately");
const mistakes = vocabulary(
  "mistake mistakes error errors misreading misread misunderstanding oversight mix-up slip over-correction",
);

/** What a statement does that is wrong, and what is done to it: "my earlier check missed it", "this flips my reasoning". */
const failures = vocabulary(`
  missed overlooked ignored over-credited overcredited overstated oversold overclaimed exaggerated conflated mixed misled flip flips flipped reverse reverses reversed overturns
  overturned contradicts contradicted invalidates invalidated disproves disproved refutes refuted corrects corrected undercuts undercut supersedes superseded
`);

/** "a|b" is either word, "?" says that it may be missing. */
const denies = createPhrases([
  "not|never|neither|no longer? quite|entirely|actually|strictly|really|fully|even? true|right|correct|accurate|real|honest|valid|justified|warranted|so",
  "not|no|never longer|quite|actually|really? hold|holds|held|stand|stands|fit|survive|apply|applies|checked|verified|tested|measured|grounded",
  "without checking|verifying|looking|searching|testing|measuring|reading",
  "too high|low|soon|hasty|strong|broad|optimistic|pessimistic|generous|simple|quick|narrow",
]);

/** Where a sentence says from `start` on that something is wrong: "was wrong", "does not hold", "a wrong diagnosis"; -1 when it does not. */
export function findWrongness(words: readonly string[], start = 0): number {
  for (let i = start; i < words.length; i++) {
    const word = words[i];
    if (isIn(wrong, word) && isPredicate(words, i)) return i;
    if (isIn(wrongly, word) || isIn(mistakes, word) || isIn(failures, word)) return i;
    if (denies(words, i)) return i;
  }
  return -1;
}

/** Where something that nobody names as a part of the product was wrong: "One was wrong", "the citation was incorrect"; -1 when nothing was. */
export function findPastWrongness(words: readonly string[]): number {
  return words.findIndex(
    (word, i) =>
      plainlyWrong.has(word) &&
      (i === 0 || hasWithin(words, i - 2, i, past)) &&
      isPredicate(words, i) &&
      !hasWithin(words, i - SUBJECT_REACH, i, parts),
  );
}

const past = vocabulary("was were");
const SUBJECT_REACH = 7;
/** Where they were wrong, nobody has stated anything. */
const parts = vocabulary(`
  what something anything nothing test tests code build parser implementation version function method script config configuration file files comment comments docs
  documentation readme path paths query schema type types value values output input expectation fixture snapshot agent reviewer issue ticket user spec selector import
  imports format order default label icon url link name key mock date dates
`);

/** How many words may stand between "was" and "wrong". */
const REACH = 4;
const be = vocabulary("is are was were am be been being had got read took proved proven turned looks seems out");

/** What stands behind a predicate; behind an attribute stands its noun: "the wrong number". */
const afterPredicate = vocabulary(`
  , ; : ( ) | — – about in on for to here there too now because since as and but or with by at of from when again that this i we it after all before either entirely
  twice then so today though although earlier above previously yesterday
`);

/** Whether the word at `i` is said of something: "was wrong", "a wrong diagnosis", "Wrong: it is cached". */
export function isPredicate(words: readonly string[], i: number): boolean {
  const next = words[i + 1];
  if (next !== undefined && !isIn(afterPredicate, next)) return isIn(statements, next);
  return i === 0 || (hasWithin(words, i - REACH, i, be) && words[i - 1] !== "not");
}
