import { hasWithin, isIn, vocabulary } from "../../lib/prose/vocabulary.ts";
import type { Sentence } from "./sentences.ts";

const agreeing = vocabulary("right correct catch point");
const faults = vocabulary(
  "missed forgot assumed thought should had was were did mistakenly only relied skipped trusted took claimed said",
);

/** "You are right", "Good catch": so soon a reply agrees. */
const OPENING = 5;

/**
 * The first sentence of a reply that agrees with a reproach: it begins with "You're right" or "Good catch" and goes on, in that sentence or
 * the next, with what its author did or failed to do ("I hadn't", "I was"). Agreeing with a suggestion is none.
 */
export function findConcession([first, second]: readonly Sentence[]): Sentence | undefined {
  if (first === undefined || !hasWithin(first.words, 0, OPENING, agreeing)) return undefined;
  const words = [...first.words, ...(second?.words ?? [])];
  return words.some((word, i) => word === "i" && isIn(faults, words[i + 1])) ? first : undefined;
}
