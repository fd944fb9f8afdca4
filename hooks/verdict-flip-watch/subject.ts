import { hasAny, isIn, vocabulary } from "../../lib/prose/vocabulary.ts";
import {
  articles,
  crosses,
  failing,
  failures,
  isAdjective,
  isCount,
  isPositive,
  leaves,
  passing,
} from "./failure-words.ts";
import { deniesBefore, leavesOpen, stopsAt, workedBefore } from "./left-open.ts";
import { type Clause, continuesWith } from "./words.ts";

const pronouns = vocabulary("it they this that these those both all");
const betweenPronounAndVerb = vocabulary(
  "of them these those now still both all again has have is are does do not no longer",
);
const beforeEllipsis = vocabulary("now then still also again is are has have");
const ellipses = vocabulary("red exit exits not does do unrelated pre-existing preexisting");

/** Whether the subject is a word such as "it" or "two". */
export function hasPronoun({ words }: Clause): boolean {
  return words.some((word, i) => {
    if (!pronouns.has(word) && !isCount(word)) return false;
    if (word === "that" && i > 0) return false; // "requests that fail"
    let verb = i + 1;
    while (isIn(betweenPronounAndVerb, words[verb])) verb++;
    if (words[verb] === "broke" && isIn(articles, words[verb + 1])) return false;
    if (stopsAt(words, verb)) return true;
    return isFailing(words[verb]) || (words[verb - 1] === "not" && isIn(passing, words[verb]));
  });
}

function isFailing(word: string | undefined): boolean {
  return word === "red" || isIn(failing, word);
}

const things = vocabulary("it they this that them these those both all everything");

/** "I left it broken", "it's still failing with a timeout", "it worked before, it is broken now": what is meant needs no name. */
export function needsNoName(clause: Clause): boolean {
  const { words, before } = clause;
  if (isIn(things, before[0]) && workedBefore(before)) return hasPronoun(clause) || isElliptic(clause);
  const [subject, be, adverb] = words;
  const verb = isIn(beforeEllipsis, adverb) ? words[3] : adverb;
  if (verb === "failing" && isIn(things, subject) && (be === "is" || be === "are")) return true;
  return words.some((word, i) => leaves.has(word) && isLeftFailing(words, i));
}

const left = vocabulary("it this that them these those both all everything of one two three the rest others still now");
const be = vocabulary("is are was were been");

/** "I left them red", "they were left failing", "left broken for now"; but not "I left the red one", "the label was left red". */
function isLeftFailing(words: readonly string[], i: number): boolean {
  let at = i + 1;
  while (isIn(left, words[at])) at++;
  if (!isFailing(words[at]) || words[at - 1] === "the") return false;
  return at > i + 1 || i === 0 || (isIn(be, words[i - 1]) && isIn(things, words[i - 2]));
}

const quantities = vocabulary("single couple dozen few of");

/** Whether the subject is the failure itself: "both failures exist on main". */
export function namesFailure({ words }: Clause): boolean {
  let at = 1;
  while (isIn(quantities, words[at])) at++;
  return isIn(failures, words[at]) && (isIn(articles, words[0]) || isIn(pronouns, words[0]) || isCount(words[0]));
}

/** Whether the clause leaves its subject out: "are failing", "2 still fail", the last cell of a table. */
export function isElliptic(clause: Clause): boolean {
  const { words } = clause;
  const start = words.findIndex((word) => !beforeEllipsis.has(word));
  const first = words[start] ?? "";
  if (isAdjective(words, start)) return false;
  if (isIn(failures, first) && isCount(words[start + 1])) return true;
  if (failing.has(first) || ellipses.has(first) || isPositive(first) || continuesWith(words, start, "no", "longer"))
    return true;
  return (words.length <= 2 && hasAny(words, crosses)) || leavesOpen(words) || deniesBefore(clause);
}
