import { onFirstUse } from "../../lib/first-use.ts";
import { hasAny, hasWithin, isIn, vocabulary } from "../../lib/prose/vocabulary.ts";
import { findDenials } from "./words.ts";

const findings = vocabulary(
  "failure failures error errors problem problems issue issues finding findings warning warnings violation violations complaint complaints regression regressions",
);
const failing = vocabulary("fail fails failed failing red broken breaks");
const unsteady = vocabulary("flaky flake flakes flaked flakiness intermittent intermittently");
const older = vocabulary("pre-existing preexisting unrelated");
const be = vocabulary("is are was were be being remains remain looks seems");
const checks = vocabulary("test tests spec specs check checks suite job");
const denials = vocabulary("no not never without zero longer 0");
const repairs = vocabulary("fixed fixes resolved removed deflaked stabilized stabilised");
const passing = vocabulary("pass passes passed passing green");

/**
 * Whether a clause owns a failure by explaining it away: it is older, elsewhere, or comes and goes. What it speaks of may stand before it in
 * the sentence.
 */
export function explainsAway(words: readonly string[], before: readonly string[]): boolean {
  return words.some((word, i) => {
    if (hasWithin(words, i - 4, i, denials)) return false;
    if (older.has(word) && i === 0 && hasAny(before, findings) && !hasAny(before, denials)) return true;
    if (older.has(word)) return hasWithin(words, 0, i, findings) || hasWithin(words, i + 1, i + 4, findings);
    if (word === "exist" || word === "existed" || (word === "there" && isIn(be, words[i - 1])))
      return hasWithin(words, 0, i, findings);
    if (!unsteady.has(word) || hasAny(words, repairs)) return false;
    return isIn(be, words[i - 1]) || word.startsWith("flake") || isUnsteadyTest(words, i);
  });
}

/** "A flaky test": said of one that is still there. */
function isUnsteadyTest(words: readonly string[], i: number): boolean {
  return (isIn(checks, words[i + 1]) || hasWithin(words, 0, i, failing)) && !hasAny(words, passing);
}

/** One of these stands in every sentence that the patterns below fit. */
const status = /pass|green|clean|fail/;
const allPass = /\b(?:pass(?:es|ed|ing)?|green)\b/;
const except = String.raw`(?:apart from|except(?: for)?|other than|besides|bar)`;
const passExcept = onFirstUse(
  () => new RegExp(String.raw`\b(?:pass(?:es|ed|ing)?|green)\b[^;]*\b${except}\s+(?!no\b|none\b|nothing\b)\S`),
);
const allBut = /\b(?:all|everything) but (?!no\b|none\b|nothing\b)\S[^;]*\b(?:pass(?:es|ed|ing)?|green|clean)\b/;
const noneFailsBut = onFirstUse(
  () =>
    new RegExp(
      String.raw`\b(?:no|none|nothing)\b[^;,]*\bfail(?:s|ed|ing|ures?)?\b[^;,]*\b(?:but|${except})\s+(?!(?:no|none|nothing|it|that|all|every)\b)\S`,
    ),
);
const share =
  /\b(\d+)(?:\s*\/\s*|\s+(?:out\s+)?of\s+(?:the\s+)?)(\d+)(?=\s+(?:(?:unit|e2e|integration|new|of the)\s+)?(?:tests|specs|checks|suites|pass\w*|green)\b)/g;

/** Whether a sentence says that less than everything passes: "41 of 42 tests pass", "all pass except one", "nothing fails but one". */
export function passesInPart(text: string): boolean {
  const sentence = text.toLowerCase();
  if (!status.test(sentence)) return false;
  if (passExcept().test(sentence) || allBut.test(sentence) || noneFailsBut().test(sentence)) return true;
  return allPass.test(sentence) && [...sentence.matchAll(share)].some(([, some, all]) => Number(some) < Number(all));
}

const modals = vocabulary("can ca could did was"); // "can't" is read as "ca not"

/** Whether a clause says that a check was not run, or cannot run: its status is left open. */
export function couldNotRun(words: readonly string[]): boolean {
  return findDenials(words).some(
    (at) => words[at] === "run" && (words[at - 1] === "cannot" || isIn(modals, words[at - 2])) && hasAny(words, checks),
  );
}
