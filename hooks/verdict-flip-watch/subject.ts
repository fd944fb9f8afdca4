import { hasAny, isIn, vocabulary } from "../../lib/prose/vocabulary.ts";
import { articles, crosses, failing, failures, isAdjective, isPositive, passing } from "./failure-words.ts";
import { leavesOpen } from "./left-open.ts";
import { type Clause, continuesWith } from "./words.ts";

const pronouns = vocabulary("it they this that these those both all some one two three four five");
const betweenPronounAndVerb = vocabulary("of them these those now still both all again has have is are does do not");
const beforeEllipsis = vocabulary("now then still also again is are has have");
const ellipses = vocabulary("red exit exits not does do unrelated pre-existing preexisting");

/** Whether the subject is a word such as "it" or "two". */
export function hasPronoun({ words }: Clause): boolean {
  return words.some((word, i) => {
    if (!pronouns.has(word) && !isPositive(word)) return false;
    if (word === "that" && i > 0) return false; // "requests that fail"
    let verb = i + 1;
    while (isIn(betweenPronounAndVerb, words[verb])) verb++;
    if (words[verb] === "broke" && isIn(articles, words[verb + 1])) return false;
    return (
      isIn(failing, words[verb]) || words[verb] === "red" || (words[verb - 1] === "not" && isIn(passing, words[verb]))
    );
  });
}

const leaves = vocabulary("left leave leaves leaving");
const things = vocabulary("it they this that them these");

/** "I left it broken", "it's still failing with a timeout": what is meant needs no name. */
export function needsNoName({ words }: Clause): boolean {
  const [subject, be, adverb] = words;
  const verb = isIn(beforeEllipsis, adverb) ? words[3] : adverb;
  if (verb === "failing" && isIn(things, subject) && (be === "is" || be === "are")) return true;
  return words.some(
    (word, i) =>
      leaves.has(word) && isIn(things, words[i + 1]) && (isIn(failing, words[i + 2]) || words[i + 2] === "red"),
  );
}

/** Whether the subject is the failure itself: "both failures exist on main". */
export function namesFailure({ words }: Clause): boolean {
  return (
    isIn(failures, words[1]) && (isIn(articles, words[0]) || isIn(pronouns, words[0]) || isPositive(words[0] ?? ""))
  );
}

/** Whether the clause leaves its subject out: "are failing", "2 still fail", the last cell of a table. */
export function isElliptic({ words }: Clause): boolean {
  const start = words.findIndex((word) => !beforeEllipsis.has(word));
  const first = words[start] ?? "";
  if (isAdjective(words, start)) return false;
  if (isIn(failures, first) && isPositive(words[start + 1] ?? "")) return true;
  if (failing.has(first) || ellipses.has(first) || isPositive(first) || continuesWith(words, start, "no", "longer"))
    return true;
  return (words.length <= 2 && hasAny(words, crosses)) || leavesOpen(words);
}
