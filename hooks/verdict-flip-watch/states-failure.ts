import { hasAny, hasWithin, isIn, vocabulary } from "../../lib/prose/vocabulary.ts";
import { explainsAway } from "./excuses.ts";
import { failing, failures, isFailureAt } from "./failure-words.ts";
import { isRepaired } from "./is-repaired.ts";
import { deniesBefore, deniesPass, leavesBroken, leavesOpen } from "./left-open.ts";
import { type Clause, continuesWith } from "./words.ts";

const lacks = vocabulary("without");
const denials = vocabulary("no not never nothing none zero neither nor cannot hardly 0");
const quantifiers = vocabulary("no without zero neither nor 0");
const nones = vocabulary("0 none zero no");
/** A denial stands at most this many words before what it denies. */
const REACH = 6;

/** "Failing tests of today: none" is a label and its count. */
const LABEL = 5;

const conditions = vocabulary("if when whenever whether unless until once should");

/** "If someone forgets it, the test fails." */
const hypothetical = vocabulary("if unless should");

/** Whether a clause says that something fails now, or leaves it open. What it is about is the caller's to find out. */
export function statesFailure(clause: Clause): boolean {
  const { words, sentence } = clause;
  if (isIn(conditions, words[0]) || isIn(hypothetical, sentence[0])) return false;
  if (words.includes("will") && hasAny(sentence, hypothetical)) return false;
  if (
    deniesBefore(clause) ||
    leavesOpen(words) ||
    deniesPass(words) ||
    leavesBroken(words) ||
    explainsAway(words, clause.before)
  )
    return true;
  if (isRepaired(clause)) return false;
  return words.some((_, i) => isFailureAt(words, i) && !isDenied(clause, i));
}

/** "Without the fix it fails" denies no failure, "without failing" does. */
function isVerb(word: string | undefined): boolean {
  return isIn(failing, word) && word?.endsWith("ing") === false;
}

/** "No lint, type or test failures": before a noun, "no" reaches over the commas. */
function isDenied({ words, before }: Clause, i: number): boolean {
  if (hasWithin(words, i - REACH, i, denials) || isIn(nones, words[i + 1])) return true;
  if (isIn(nones, words.at(-1)) && words.length - i <= LABEL) return true;
  if (!isVerb(words[i]) && hasWithin(words, i - REACH, i, lacks)) return true;
  return (
    isIn(failures, words[i]) &&
    hasWithin(before, before.length - REACH, before.length, quantifiers) &&
    !continuesWith(before, before.indexOf("no"), "no", "longer")
  );
}
