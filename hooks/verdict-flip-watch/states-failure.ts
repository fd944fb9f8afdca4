import { continuesWith, findDenials, hasAny, hasWithin, isIn, vocabulary } from "./words.ts";

/** Part of a sentence that says one thing, and what stands before it in the sentence. */
export interface Clause {
  readonly words: readonly string[];
  readonly before: readonly string[];
  readonly sentence: readonly string[];
}

const failing = vocabulary(
  "fail fails failed failing broke broken breaks breaking regress regresses regressed crash crashes crashed crashing errored",
);
const pastFailure = vocabulary("failed broke regressed crashed errored timed");
const failures = vocabulary("failure failures regression regressions");
const problems = vocabulary("error errors problem problems issue issues");
const crosses = vocabulary("❌ ✗ ✘ 🔴");
const passing = vocabulary(
  "pass passes passed passing succeed succeeds succeeded green compile compiles compiled compiling clean",
);
const modals = vocabulary("would could can may might should must");
const states = vocabulary("is are now still went turned goes stays remains to");
const counts = vocabulary("one two three four five some several");
const reporting = vocabulary(
  "report reports show shows give gives throw throws print prints has have hit hits still now",
);

/** "Fails fast", "failure handling", "regression tests": set phrases that state nothing. */
const afterFailing = vocabulary(
  "fast safe soft over open closed early loudly silently gracefully cleanly change changes",
);
const afterFailure = vocabulary(
  "handling mode modes path paths case cases message messages scenario scenarios state states rate rates injection test tests suite suites check checks run runs",
);
const beforeFailure = vocabulary("on upon of expected");
const runs = vocabulary("pass compile build run start finish");

const denials = vocabulary("no not never nothing none without zero neither nor cannot hardly 0");
const quantifiers = vocabulary("no without zero neither nor 0");
const nones = vocabulary("0 none zero no");
/** A denial stands at most this many words before what it denies. */
const REACH = 6;

const conditions = vocabulary("if when whenever whether unless until once");
const rechecks = vocabulary("rerun rerunning reran rechecked reverified retested verified");
const repairs = vocabulary(
  "fix fixed fixes resolved resolves repaired repairs addressed addresses solved solves cleared clears gone",
);
const repairStems = ["fix", "resolv", "repair", "address", "solv"];
const notYet = vocabulary("not never be to can will must should could");
const once = vocabulary("previously formerly initially originally first");
const pastBe = vocabulary("was were been had be");
const creates = vocabulary(
  "wrote write writes writing written add adds added adding create creates created creating cover covers covered covering",
);
const checks = vocabulary("test tests spec specs check checks");

/** Whether a clause says that something fails now, or leaves it open. What it is about is the caller's to find out. */
export function statesFailure(clause: Clause): boolean {
  const { words } = clause;
  if (isIn(conditions, words[0])) return false;
  if (leavesOpen(words) || deniesPass(words) || leavesBroken(words)) return true;
  if (isRepaired(clause)) return false;
  return words.some((_, i) => isFailureAt(words, i) && !isDenied(clause, i));
}

/** The status is left open: "I have not re-run the tests". */
function leavesOpen(words: readonly string[]): boolean {
  if (words.includes("unverified")) return true;
  return [...findDenials(words), words.indexOf("without") + 1]
    .filter((at) => at > 0)
    .some(
      (at) =>
        hasWithin(words, at, at + 4, rechecks) ||
        (hasWithin(words, at, at + 2, runOnly) && words.includes("again", at)),
    );
}
const runOnly = vocabulary("run");

/** "Does not pass", "not all tests pass", "could not get the test to pass". */
function deniesPass(words: readonly string[]): boolean {
  return findDenials(words).some((at) => {
    if (words[at] === "only") return false;
    const getsTo = hasWithin(words, at, at + 2, vocabulary("get make"));
    return hasWithin(words, at, at + (getsTo ? 7 : 4), passing);
  });
}

/** "I have not fixed the failing test": the denial is not about the failure. */
function leavesBroken(words: readonly string[]): boolean {
  const unable = words.indexOf("unable") + 1;
  return [...findDenials(words), unable]
    .filter((at) => at > 0)
    .some((at) => words.slice(at, at + 3).some(isRepairWord) && hasWithin(words, at, words.length, failing));
}

function isRepairWord(word: string): boolean {
  return repairStems.some((stem) => word.startsWith(stem));
}

function isFailureAt(words: readonly string[], i: number): boolean {
  const word = words[i];
  const next = words[i + 1];
  if (isIn(failing, word)) return !isIn(afterFailing, next) && !isMeantAt(words, i);
  if (isIn(failures, word)) return !isIn(afterFailure, next) && !isIn(beforeFailure, words[i - 1]);
  if (isIn(problems, word))
    return continuesWith(words, i, "errors", "out") || isCountedAt(words, i) || hasWithin(words, i - 4, i, reporting);
  if (word === "red") return hasWithin(words, i - 2, i, states);
  if (word === "exit" || word === "exits" || word === "exited") return words.slice(i + 1, i + 4).some(isPositive);
  return isIn(crosses, word) || (next === "out" && /^tim(?:e|es|ed|ing)$/.test(word ?? ""));
}

/** Something that would or should fail, or failed to do something else than run. */
function isMeantAt(words: readonly string[], i: number): boolean {
  const before = words[i - 1];
  if (hasWithin(words, i - 2, i, modals) || before === "to" || isIn(beforeFailure, before)) return true;
  return words[i + 1] === "to" && !isIn(runs, words[i + 2]);
}

function isCountedAt(words: readonly string[], i: number): boolean {
  return words.slice(Math.max(0, i - 4), i).some((word) => isIn(counts, word) || isPositive(word));
}

function isPositive(word: string): boolean {
  return /^[1-9]\d*$/.test(word);
}

/** "No lint, type or test failures": before a noun, "no" reaches over the commas. */
function isDenied({ words, before }: Clause, i: number): boolean {
  if (hasWithin(words, i - REACH, i, denials) || isIn(nones, words[i + 1])) return true;
  return (
    isIn(failures, words[i]) &&
    hasWithin(before, before.length - REACH, before.length, quantifiers) &&
    !continuesWith(before, before.indexOf("no"), "no", "longer")
  );
}

/** It failed, and the clause or its sentence says that this is over, or that a test was written to fail. */
function isRepaired({ words, sentence }: Clause): boolean {
  const at = words.findIndex((word) => failing.has(word));
  if (at < 0 || persists(words)) return false;
  if (isOver(words, at) || hasRepair(words)) return true;
  if (hasWithin(words, 0, at, creates)) return !isNewFailingTest(words, at) || hasAny(sentence, passing);
  if (isAdjective(words, at) && hasAny(words, passing)) return true;
  return hasAny(words, pastFailure) && hasRepair(sentence) && !leavesOpen(sentence);
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

/** Left red on purpose: "a failing test", "a test that fails". */
function isNewFailingTest(words: readonly string[], at: number): boolean {
  return hasWithin(words, at + 1, at + 3, checks) || (words[at - 1] === "that" && isIn(checks, words[at - 2]));
}

function isAdjective(words: readonly string[], at: number): boolean {
  return (words[at] === "failing" || words[at] === "broken") && at + 1 < words.length;
}

const pronouns = vocabulary("it they this that these those both all some one two three four five");
const betweenPronounAndVerb = vocabulary("of them these those now still both all again has have is are does do not");
const articles = vocabulary("the a an my our");
const beforeEllipsis = vocabulary("now then still also again is are has have");
const ellipses = vocabulary("red exit exits not does do");

/** Whether the subject is a word such as "it" or "two". */
export function hasPronoun({ words }: Clause): boolean {
  return words.some((word, i) => {
    if (!pronouns.has(word) && !isPositive(word)) return false;
    let verb = i + 1;
    while (isIn(betweenPronounAndVerb, words[verb])) verb++;
    if (words[verb] === "broke" && isIn(articles, words[verb + 1])) return false;
    return (
      isIn(failing, words[verb]) || words[verb] === "red" || (words[verb - 1] === "not" && isIn(passing, words[verb]))
    );
  });
}

/** Whether the clause leaves its subject out: "are failing", "2 still fail", the last cell of a table. */
export function isElliptic({ words }: Clause): boolean {
  const start = words.findIndex((word) => !beforeEllipsis.has(word));
  const first = words[start] ?? "";
  if (failing.has(first) || ellipses.has(first) || isPositive(first) || continuesWith(words, start, "no", "longer"))
    return true;
  return (words.length <= 2 && hasAny(words, crosses)) || leavesOpen(words);
}
