import { hasWithin, vocabulary } from "../../lib/prose/vocabulary.ts";
import { couldNotRun } from "./excuses.ts";
import { failing, passing } from "./failure-words.ts";
import { findDenials } from "./words.ts";

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
  return findDenialsAndUnable(words).some((at) => {
    if (words[at] === "only") return false;
    const getsTo = hasWithin(words, at, at + 2, gets);
    return hasWithin(words, at, at + (getsTo ? 7 : 4), passing);
  });
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
