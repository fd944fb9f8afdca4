import { hasAny, hasWithin, isIn, vocabulary } from "../../lib/prose/vocabulary.ts";
import { couldNotRun } from "./excuses.ts";
import { failing, passing } from "./failure-words.ts";
import { type Clause, continuesWith, findDenials } from "./words.ts";

const rechecks = vocabulary("rerun rerunning reran rechecked reverified retested verified");
const runOnly = vocabulary("run");
const unblocked = vocabulary("no not longer never were was");
const gets = vocabulary("get make");
const repairStems = ["fix", "resolv", "repair", "address", "solv"];

/** The status is left open: "I have not re-run the tests". */
export function leavesOpen(words: readonly string[]): boolean {
  if (words.includes("unverified") || couldNotRun(words) || isBlocked(words)) return true;
  return [...findDenials(words), words.indexOf("without") + 1]
    .filter((at) => at > 0)
    .some(
      (at) =>
        hasWithin(words, at, at + 4, rechecks) ||
        (hasWithin(words, at, at + 2, runOnly) && words.includes("again", at)),
    );
}

/** "The tests are blocked by a type error". */
function isBlocked(words: readonly string[]): boolean {
  return words.some((word, i) => word === "blocked" && words[i + 1] === "by" && !hasWithin(words, i - 3, i, unblocked));
}

/** "Does not pass", "not all tests pass", "could not get the test to pass". */
export function deniesPass(words: readonly string[]): boolean {
  if (words.some((_, i) => stopsAt(words, i))) return true;
  return findDenialsAndUnable(words).some((at) => {
    if (words[at] === "only") return false;
    const getsTo = hasWithin(words, at, at + 2, gets);
    return hasWithin(words, at, at + (getsTo ? 7 : 4), passing);
  });
}

const stops = vocabulary("stop stops stopped");
const working = vocabulary("work works working");

/** Whether the word at `i` says of its subject that it did its work once: "stopped working", "no longer works", "does not work any more". */
export function stopsAt(words: readonly string[], i: number): boolean {
  const next = words[i + 1];
  if (isIn(stops, words[i])) return isIn(working, next) || isIn(passing, next);
  if (!isIn(working, words[i]) || next === "around") return false;
  return (
    words[i - 1] === "longer" ||
    (words[i - 1] === "not" && (next === "anymore" || continuesWith(words, i + 1, "any", "more")))
  );
}

const worked = vocabulary("work worked pass passed passing green fine");
const earlier = vocabulary("before earlier previously used until");

/** "It worked before", "it used to pass". */
export function workedBefore(words: readonly string[]): boolean {
  return hasAny(words, worked) && hasAny(words, earlier);
}

/** Behind "it worked before": "now it does not", "it no longer does". */
export function deniesBefore({ words, before }: Clause): boolean {
  const isLast = (at: number): boolean => words.slice(at).every((word) => word === "do" || word === "does");
  return workedBefore(before) && findDenials(words).some(isLast);
}

const bareDenial =
  /^(?:(?:but|and|then|now) )*(?:(?:it|they|that|this|those|these|both) (?:now )?(?:(?:do|does) not(?: now| any more| anymore)?|no longer (?:do|does))|not (?:now|any more|anymore))$/;

/** "Now it does not" as a whole sentence behind one that says that something passed: what it denies stands there. */
export function deniesSentenceBefore(words: readonly string[], sentenceBefore: readonly string[]): boolean {
  return (
    bareDenial.test(words.join(" ")) &&
    (hasAny(sentenceBefore, worked) || hasAny(sentenceBefore, passing)) &&
    !hasAny(sentenceBefore, failing) &&
    findDenials(sentenceBefore).length === 0
  );
}

/** "I have not fixed the failing test": the denial is not about the failure. */
export function leavesBroken(words: readonly string[]): boolean {
  return findDenialsAndUnable(words).some(
    (at) => words.slice(at, at + 3).some(isRepairWord) && hasWithin(words, at, words.length, failing),
  );
}

function findDenialsAndUnable(words: readonly string[]): readonly number[] {
  const unable = words.indexOf("unable") + 1;
  return unable === 0 ? findDenials(words) : [...findDenials(words), unable];
}

function isRepairWord(word: string): boolean {
  return repairStems.some((stem) => word.startsWith(stem));
}
