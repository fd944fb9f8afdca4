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
  if (isEarlierStatusDenied(words) || words.some((_, i) => isOwnOutdatedAt(words, i))) return true;
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
    if (isIn(parts, rest[0])) return false;
    const isUntrue = rest.some((other, j) => untrue.has(other) && hasWithin(rest, j - 2, j, be));
    const isDenied = findDenials(rest).some((end) => hasWithin(rest, end, end + 2, holding));
    return isUntrue || isDenied || hasAny(rest, overtaken);
  });
}

/** "The old results page" is none. */
const parts = vocabulary("page pages file files format table view screen panel");

/** What a reply gives, besides a status. */
const figures = vocabulary("figure figures number numbers count counts total totals");
const own = vocabulary("that this those these my our");
const giving = vocabulary("gave reported quoted stated named told above before");
const behindFigure = vocabulary("from you i we");
const articles = vocabulary("a an the");
const goesOn = vocabulary("now from since because after before so and but i it");

/** "That is a stale figure", "that result is outdated", "the number I gave you no longer holds": said of one's own words, it needs no check beside it. */
function isOwnOutdatedAt(words: readonly string[], i: number): boolean {
  if (!isIn(figures, words[i]) && !isIn(status, words[i])) return false;
  let end = i + 1;
  while (isIn(behindFigure, words[end]) || isIn(giving, words[end])) end++;
  const isOwn = isIn(own, words[i - 1]) || (isIn(own, words[i - 2]) && isIn(earlier, words[i - 1]));
  if ((isOwn || hasWithin(words, i + 1, end, giving)) && isOutdatedAt(words, end)) return true;
  return isCalledOutdated(words, i) && (words[i + 1] === undefined || isIn(goesOn, words[i + 1]));
}

/** "Is stale", "is out of date", "is no longer valid", "no longer counts". */
function isOutdatedAt(words: readonly string[], at: number): boolean {
  const start = isIn(be, words[at]) ? at + 1 : at;
  if (continuesWith(words, start, "no", "longer")) return hasWithin(words, start + 2, start + 4, holding);
  return start > at && (isIn(outdated, words[start]) || continuesWith(words, start, "out", "of", "date"));
}

/** "That is a stale", "it is no longer a valid". */
function isCalledOutdated(words: readonly string[], i: number): boolean {
  const isValid =
    words[i - 1] === "valid" && isIn(articles, words[i - 2]) && continuesWith(words, i - 4, "no", "longer");
  if (!isValid && !isIn(outdated, words[i - 1])) return false;
  const at = isValid ? i - 4 : isIn(articles, words[i - 2]) ? i - 2 : i - 1;
  return isIn(be, words[at - 1]) && isIn(demonstratives, words[at - 2]);
}

const demonstratives = vocabulary("that this it those these they");
const discarded = vocabulary("gone removed cleared evicted replaced dropped purged updated");

/** "That pass was vacuous", "a stale result". */
function isStatusUntrue(words: readonly string[]): boolean {
  return words.some((word, i) => {
    if (untrue.has(word) && isIn(be, words[i - 1]) && hasWithin(words, 0, i, status)) return true;
    return (
      outdated.has(word) &&
      isIn(status, words[i + 1]) &&
      !hasWithin(words, i - 3, i, vocabulary("no not")) &&
      !hasAny(words, discarded)
    );
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
