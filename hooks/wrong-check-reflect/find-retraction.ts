import { findFences } from "../../lib/prose/find-fences.ts";
import { maskQuoted } from "../../lib/prose/mask.ts";
import { findAdmission } from "./admissions.ts";
import { findConcession } from "./concession.ts";
import { deniesBefore } from "./denies-before.ts";
import { isSupposed } from "./is-supposed.ts";
import { findOwnStatement } from "./own-statement.ts";
import { splitSentences, type Sentence } from "./sentences.ts";
import { isUndone } from "./undone.ts";
import { findWrongness } from "./wrongness.ts";

/**
 * Where a reply may take back something that its author has said: the beginning of the first such sentence; undefined when nothing looks
 * like it. It decides whether a model is asked, so it rather asks once too often. What others wrote, or what is shown as code, is no statement of the reply;
 * a fence that nobody closes hides none. English only; its cost grows with the text, not faster.
 */
export function findRetraction(reply: string): number | undefined {
  const closed = findFences(reply).filter((fence) => fence.closed);
  const sentences = splitSentences(maskQuoted(reply, closed, " "));
  const found = sentences.find((sentence, i) => mayTakeBack(sentence, sentences[i + 1])) ?? findConcession(sentences);
  return found?.start;
}

/** A sentence that admits to be wrong does, and one that names a statement of the author and calls it wrong, itself or in the next one. */
function mayTakeBack({ words }: Sentence, next: Sentence | undefined): boolean {
  const admission = findAdmission(words);
  if (admission >= 0 && !isSupposed(words, admission)) return true;
  const statement = findOwnStatement(words);
  if (statement < 0 || isSupposed(words, statement)) return false;
  const wrongness = findWrongness(words, Math.max(0, statement - BEFORE));
  if (wrongness >= 0 && wrongness < statement + BEHIND && !isSupposed(words, wrongness)) return true;
  return isUndone(words, statement) || (next?.followsOn === true && deniesBefore(next.words));
}

/** How far before and behind "my claim" the word may stand that calls it wrong. */
const BEFORE = 12;
const BEHIND = 40;
