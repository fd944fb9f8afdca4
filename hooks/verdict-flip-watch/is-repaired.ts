import { hasAny, hasWithin, isIn, vocabulary } from "../../lib/prose/vocabulary.ts";
import { checks, failing, failures, isAdjective, passing, problems } from "./failure-words.ts";
import { leavesOpen } from "./left-open.ts";
import { type Clause, continuesWith } from "./words.ts";

const pastFailure = vocabulary("failed broke regressed crashed errored complained timed");
const repairs = vocabulary(
  "fixed fixes resolved resolves repaired repairs addressed addresses solved solves cleared clears gone",
);
const notYet = vocabulary("not never be to can will must should could");
const once = vocabulary("previously formerly initially originally first");
const pastBe = vocabulary("was were been had be");
const creates = vocabulary(
  "wrote write writes writing written add adds added adding create creates created creating cover covers covered covering",
);
const states = vocabulary("is are now still went turned goes stays remains to");

/** It failed, and the clause or its sentence says that this is over, or that a test was written to fail. */
export function isRepaired({ words, sentence }: Clause): boolean {
  const at = words.findIndex((word) => failing.has(word) || failures.has(word) || problems.has(word));
  if (at < 0 || persists(words)) return false;
  if (isOver(words, at) || hasRepair(words)) return true;
  if (isCreated(words, at)) return !isNewFailingTest(words, at) || hasAny(sentence, passing);
  if (isAdjective(words, at) && hasAny(words, passing)) return true;
  const isPast = hasAny(words, pastFailure) || (hasAny(words, failures) && hasAny(words, pastBe));
  return isPast && hasRepair(sentence) && !leavesOpen(sentence);
}

function persists(words: readonly string[]): boolean {
  return words.some(
    (word, i) =>
      word === "still" ||
      word === "again" ||
      word.startsWith("remain") ||
      (word === "now" && isIn(failing, words[i + 1])),
  );
}

function isOver(words: readonly string[], at: number): boolean {
  const before = words[at - 1];
  const next = words[at + 1];
  return isIn(once, before) || isIn(pastBe, before) || isIn(once, next) || continuesWith(words, at + 1, "at", "first");
}

function hasRepair(words: readonly string[]): boolean {
  return words.some((word, i) => {
    if (repairs.has(word)) return !hasWithin(words, i - 2, i, notYet);
    if (!passing.has(word)) return false;
    const next = words[i + 1];
    return next === "now" || next === "again" || hasWithin(words, i - 4, i, vocabulary("all")) || isNowAt(words, i);
  });
}

function isNowAt(words: readonly string[], i: number): boolean {
  return words[i - 1] === "now" || (words[i] === "green" && isIn(states, words[i - 1]));
}

/** "I added a test that fails", but not "the test I added fails". */
function isCreated(words: readonly string[], at: number): boolean {
  return words.some(
    (word, i) => i < at && creates.has(word) && !(isIn(authors, words[i - 1]) && isIn(checks, words[i - 2])),
  );
}

const authors = vocabulary("i we");
const betweenThatAndVerb = vocabulary("is are still now currently also always deliberately intentionally");

/** Left red on purpose: "a failing test", "a test that fails", "a test that is still broken"; not "a test that failed before". */
function isNewFailingTest(words: readonly string[], at: number): boolean {
  if (hasWithin(words, at - 3, at, vocabulary("to"))) return false; // "added it to the failing tests"
  if (hasWithin(words, at + 1, at + 3, checks)) return true;
  let that = at - 1;
  while (isIn(betweenThatAndVerb, words[that])) that--;
  return words[that] === "that" && isIn(checks, words[that - 1]) && words[at + 1] !== "before";
}
