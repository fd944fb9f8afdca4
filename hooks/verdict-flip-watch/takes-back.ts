import { hasAny, hasWithin, isIn, vocabulary } from "../../lib/prose/vocabulary.ts";
import { continuesWith, findDenials } from "./words.ts";

const status = vocabulary(
  "status statuses claim claims report reports result results pass passes green statement statements summary conclusion verification run runs",
);
const outdated = vocabulary("stale vacuous vacuously premature prematurely outdated obsolete");
const untrue = vocabulary(
  "wrong incorrect mistaken stale vacuous premature misread outdated obsolete invalid untrue false",
);
const be = vocabulary("is are was were am be been looks now");
const earlier = vocabulary("earlier previous prior last first old my");
/** Words that belong to checks, or to an earlier report of one. */
const ofChecks = vocabulary("status pass green");
const overtaken = vocabulary("superseded supersedes before");
const holding = vocabulary("true hold holds apply applies valid accurate stand stands correct count counts");
const misspoke = vocabulary("misreported misstated overstated");
const topics = vocabulary("about on regarding");
const hedges = vocabulary("must have to now hereby");
const retracting = vocabulary("retract retracts retracted retracting retraction");
const misreaders = vocabulary("i have had");

/** Whether a sentence takes an earlier status back. `isAboutCheck`: it mentions a check of some kind. */
export function takesBackStatus(words: readonly string[], isAboutCheck: () => boolean): boolean {
  if (isMisspoken(words)) return true;
  if (isFirstPersonWrong(words)) return words.length <= 4 || hasAny(words, status) || isAboutCheck();
  if (isEarlierStatusDenied(words)) return true;
  return (isStatusUntrue(words) || isTakenBack(words)) && (hasAny(words, ofChecks) || isAboutCheck());
}

/** "I spoke too soon", "I must retract that". */
function isMisspoken(words: readonly string[]): boolean {
  return words.some((word, i) => {
    if (word !== "i") return false;
    if (isIn(misspoke, words[i + 1]) || continuesWith(words, i + 1, "spoke", "too", "soon")) return true;
    let at = i + 1;
    while (isIn(hedges, words[at])) at++;
    return words[at] === "retract";
  });
}

/** "I was wrong", but not "about the colour". */
function isFirstPersonWrong(words: readonly string[]): boolean {
  return words.some(
    (word, i) => word === "i" && isIn(be, words[i + 1]) && isIn(untrue, words[i + 2]) && !isIn(topics, words[i + 3]),
  );
}

/** "The earlier pass is stale", "my last status was before the rename". */
function isEarlierStatusDenied(words: readonly string[]): boolean {
  return words.some((word, i) => {
    if (!earlier.has(word)) return false;
    const at = words.findIndex((other, j) => j > i && j <= i + 3 && status.has(other));
    if (at < 0) return false;
    const rest = words.slice(at + 1, at + 7);
    const isUntrue = rest.some((other, j) => untrue.has(other) && hasWithin(rest, j - 2, j, be));
    const isDenied = findDenials(rest).some((end) => hasWithin(rest, end, end + 2, holding));
    return isUntrue || isDenied || hasAny(rest, overtaken);
  });
}

/** "That pass was vacuous", "a stale result". */
function isStatusUntrue(words: readonly string[]): boolean {
  return words.some((word, i) => {
    if (untrue.has(word) && isIn(be, words[i - 1]) && hasWithin(words, 0, i, status)) return true;
    return outdated.has(word) && isIn(status, words[i + 1]) && !hasWithin(words, i - 3, i, vocabulary("no not"));
  });
}

/** "I retract that", "the tests were green prematurely", "that is no longer true". */
function isTakenBack(words: readonly string[]): boolean {
  if (findDenials(words).some((at) => isIn(holding, words[at]) || isIn(holding, words[at + 1]))) return true;
  return words.some((word, i) => {
    if (word === "misread") return isIn(misreaders, words[i - 1]);
    if (retracting.has(word)) return !hasWithin(words, i - 2, i, vocabulary("not no never"));
    if (continuesWith(words, i, "i", "was") && isIn(untrue, words[i + 2])) return true;
    return outdated.has(word) && isIn(be, words[i - 1]);
  });
}
