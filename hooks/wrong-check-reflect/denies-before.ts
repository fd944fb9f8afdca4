import { isIn, vocabulary } from "../../lib/prose/vocabulary.ts";
import { findWrongness } from "./wrongness.ts";

/** Whether a sentence denies what the one before it has stated: "That was false." "They had not run." "There is no race." "It does." */
export function deniesBefore(words: readonly string[]): boolean {
  if (findWrongness(words.slice(0, SOON)) >= 0 || isIn(noneOf, words[0])) return true;
  if (!isIn(pronouns, words[0]) || !isIn(verbs, words[1])) return false;
  const third = words[2];
  return third === undefined || isIn(negations, third) || isIn(breaks, third) || words.slice(2, 5).includes("wrong");
}

/** So soon a sentence calls wrong what it is about. */
const SOON = 12;

const noneOf = vocabulary("neither none");
const pronouns = vocabulary("that this it they both these those he she there i we");
const verbs = vocabulary("is are was were does do did has have had will can could");
const negations = vocabulary("not no never only neither nothing");
const breaks = vocabulary("; , : — –");
