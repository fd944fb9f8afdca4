import type { Span } from "../../lib/prose/spans.ts";
import { findClaim } from "./find-claim.ts";
import { findHeads } from "./find-heads.ts";
import { findReason } from "./find-reason.ts";
import type { Admission } from "./find-tags.ts";
import { splitSentences } from "./sentences.ts";
import { CHECK, EARLIER, MAY_ADMIT, REPORTED, RESOLVED } from "./vocabulary.ts";
import { findSource, readWords } from "./words.ts";

/** What is not verified is nothing, or a matter of whom a program speaks to. */
const NO_CLAIM = /^(?:nothing|none|n\/a|your?)\b/i;

/**
 * What a reply says in plain English that it could not verify, and why not: one of a sentence, in order. `spoken` is the reply with what is not its own blanked
 * out. An admission without a reason is none, nor is one of a program, a supposition, or of what was done after all.
 */
export function findAdmissions(reply: string, spoken: string): readonly Admission[] {
  if (!MAY_ADMIT.test(spoken)) return [];
  const sentences = splitSentences(spoken);
  return sentences.flatMap((sentence, index) => {
    const before = sentences[index - 1];
    const found = readSentence(reply, spoken, sentence, before);
    return found === undefined ? [] : [found];
  });
}

function readSentence(reply: string, spoken: string, sentence: Span, before: Span | undefined): Admission | undefined {
  const text = spoken.slice(sentence.start, sentence.end);
  if (!MAY_ADMIT.test(text)) return undefined;
  const reading = readWords(text);
  const { words } = reading;
  if (words.endsWith(" ? ") || EARLIER.test(words) || RESOLVED.test(words)) return undefined;
  const cut = (from: number, to: number): string => {
    const source = findSource(reading, from, to);
    return source === undefined ? "" : toLine(reply.slice(sentence.start + source.start, sentence.start + source.end));
  };
  for (const head of findHeads(words)) {
    if (REPORTED.test(`${words.slice(0, head.from)} `)) continue;
    const why = findReason(words, head);
    if (why === undefined) continue;
    const what = findClaim(words, head, why);
    const claim = what === undefined ? findStatement(reply, before ?? sentence) : cut(what.from, what.to);
    const reason = cut(why.from, why.to);
    if (claim === "" || NO_CLAIM.test(claim) || reason === "" || (head.runs && !CHECK.test(claim))) continue;
    return { claim, reason, start: sentence.start, end: sentence.end };
  }
  return undefined;
}

/** What "it" stands for: the sentence before. */
function findStatement(reply: string, { start, end }: Span): string {
  return toLine(reply.slice(start, end))
    .replace(/^(?:\d{1,3}[.)]\s|[^\p{L}\p{N}`"“(])+/u, "")
    .replace(/[.:;!]+$/, "");
}

/** One line, without emphasis. */
function toLine(text: string): string {
  return text.replaceAll("**", "").replaceAll(/\s+/g, " ").trim();
}
