import { hasWithin, isIn, vocabulary } from "../../lib/prose/vocabulary.ts";
import { continuesWith } from "./words.ts";

export const failing = vocabulary(
  "fail fails failed failing broke broken breaks breaking regress regresses regressed crash crashes crashed crashing errored complain complains complained complaining unhappy hang hangs hanging",
);
export const failures = vocabulary("failure failures regression regressions");
export const problems = vocabulary("error errors problem problems issue issues");
export const crosses = vocabulary("❌ ✗ ✘ 🔴");
export const passing = vocabulary(
  "pass passes passed passing succeed succeeds succeeded green compile compiles compiled compiling clean",
);
export const articles = vocabulary("the a an my our this that");
export const checks = vocabulary("test tests spec specs check checks");

const modals = vocabulary("would could can may might should must");
const states = vocabulary("is are now still went turned goes stays remains to");
const exits = vocabulary("exit exits exited");
const pastExit = vocabulary("returned exited gave got");
export const leaves = vocabulary("leave leaves left leaving keep keeps kept keeping");
const counts = vocabulary("one two three four five six seven eight nine ten eleven twelve dozen few some several many");
const reporting = vocabulary(
  "report reports show shows give gives throw throws print prints has have hit hits still now",
);

/** "Fails fast", "failure handling", "regression tests": set phrases that state nothing. */
const afterFailing = vocabulary(
  "fast safe soft over differently open closed early loudly silently gracefully cleanly change changes",
);
const afterFailure = vocabulary(
  "handling mode modes path paths case cases message messages scenario scenarios state states rate rates injection test tests suite suites check checks run runs",
);
const beforeFailure = vocabulary("on upon of expected into");
const runs = vocabulary("pass compile build run start finish");
const adjectives = vocabulary("failing failed broken breaking");
/** What a check is called: "the failing build" speaks of one, "the failing upload" does not. */
const checkNouns = vocabulary(
  "test tests spec specs suite suites check checks build builds lint linter types assertion assertions snapshot snapshots ci pipeline job jobs run runs case cases",
);
/** "A test that asserts that the call fails". */
const asserts = vocabulary("assert asserts asserting ensure ensures expect expects verifies proving forces simulates");
/** "Keeps the test from failing". */
const prevents = vocabulary("prevent prevents prevented keep keeps kept stop stops stopped");
/** "The linter flags an unused import", but not "the flags are sorted". */
const findingsArticles = vocabulary("a an one two three four five some several this");
/** What follows a failure that is a statement, not the quality of a thing. */
const afterVerb = vocabulary(
  "on in with at because after due when again as since now here there under for out before earlier later today locally once twice failures right so until till while whereas although though if unless and but",
);

/** Whether the word at `i` says that something fails; whether that is denied is another question. */
export function isFailureAt(words: readonly string[], i: number): boolean {
  const word = words[i];
  const next = words[i + 1];
  if (isIn(failing, word)) return !isIn(afterFailing, next) && !isMeantAt(words, i) && !isOfThingAt(words, i);
  if (isIn(failures, word)) return isFailureNounAt(words, i);
  if (isIn(problems, word)) return isFoundAt(words, i);
  if (word === "red") return isRedAt(words, i);
  if (word === "flags") return isIn(findingsArticles, next) && !isIn(articles, words[i - 1]);
  return isExitAt(words, i) || isIn(crosses, word) || (next === "out" && /^tim(?:e|es|ed|ing)$/.test(word ?? ""));
}

/** "Exited with 2", "returned non-zero". */
function isExitAt(words: readonly string[], i: number): boolean {
  const word = words[i];
  if (word === "non-zero" || word === "nonzero") return hasWithin(words, i - 3, i, pastExit);
  return isIn(exits, word) && words.slice(i + 1, i + 4).some(isPositive);
}

function isFailureNounAt(words: readonly string[], i: number): boolean {
  const next = words[i + 1];
  if (isIn(afterFailure, next) || isIn(passing, next) || hasWithin(words, i - 4, i, asserts)) return false;
  return !isIn(beforeFailure, words[i - 1]);
}

function isOfThingAt(words: readonly string[], i: number): boolean {
  return isAdjective(words, i) && !hasWithin(words, i + 1, i + 5, checkNouns);
}

/** Something that would or should fail, or failed to do something else than run. */
function isMeantAt(words: readonly string[], i: number): boolean {
  const before = words[i - 1];
  if (hasWithin(words, i - 2, i, modals) || before === "to" || isIn(beforeFailure, before)) return true;
  if (before === "from" && hasWithin(words, 0, i, prevents)) return true;
  if (hasWithin(words, 0, i, asserts)) return true;
  return words[i + 1] === "to" && !isIn(runs, words[i + 2]);
}

/** "Reports an issue", "2 errors", "errors out". */
function isFoundAt(words: readonly string[], i: number): boolean {
  if (continuesWith(words, i, "errors", "out") || continuesWith(words, i, "error", "out")) return true;
  return isCountedAt(words, i) || hasWithin(words, i - 4, i, reporting);
}

function isRedAt(words: readonly string[], i: number): boolean {
  if (
    words.length === 1 ||
    (i === 0 && isCount(words[1])) ||
    isIn(checks, words[i + 1]) ||
    isIn(checkNouns, words[i - 1])
  )
    return true;
  return hasWithin(words, i - 2, i, states) || hasWithin(words, i - 4, i, leaves);
}

function isCountedAt(words: readonly string[], i: number): boolean {
  return words.slice(Math.max(0, i - 4), i).some(isCount);
}

/** A count of one or more, in digits or words. */
export function isCount(word: string | undefined): boolean {
  return isIn(counts, word) || isPositive(word ?? "");
}

/** A number of one or more. */
export function isPositive(word: string): boolean {
  return /^[1-9]\d{0,4}$/.test(word);
}

/** The quality of a thing: "the failing upload", but not "Failing: one". */
export function isAdjective(words: readonly string[], at: number): boolean {
  const next = words[at + 1];
  if (!isIn(adjectives, words[at]) || next === undefined || isIn(afterVerb, next)) return false;
  return !isCount(next) || isIn(articles, words[at - 1]);
}
