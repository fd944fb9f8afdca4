import { onFirstUse } from "../../lib/first-use.ts";
import type { Head, Need, Range } from "./find-heads.ts";
import { HINDRANCE, NO_REASON, PLACE, SURROUNDINGS } from "./vocabulary.ts";

/** Why something is not verified. */
export interface Reason extends Range {
  /** Where the part of the sentence begins or ends that is not the reason: what is not verified lies between the head and here. */
  readonly border: number;
  readonly side: "behind" | "before";
}

/** What leads to a reason behind the head. */
const BEHIND = onFirstUse(
  () =>
    new RegExp(
      " (?:(?<word>because of|because|due to|owing to|on account of|given that|given|since|as|for lack of|for want of|without)|(?<mark>[:—;(])|(?<comma>,)(?= (?:no|not|lacking|there (?:is|are|was|were) no|(?:it|that|this|which|they) (?:need|needs|require|requires)) ))(?= )",
      "g",
    ),
);
/** These are a part of the reason. */
const PART = /^(?:for lack of|for want of|without)$/;
/** "Since the refactor" is a time, "as a user" a role; a reason has a verb, or says what there is not. */
const CLAUSE =
  /^ (?:no|i|we|it|there|this|that|they|nothing|none|neither) |^(?: \S+){1,6} (?:is|are|was|were|has|have|had|do|does|did|can|could|needs|need|requires|require|lacks|lack|hangs|fails|failed|not|will) /;
/** Where a reason ends, though the sentence goes on. */
const GOES_ON =
  / (?:[;—]|: |, (?:so|but|which|and (?:i|we|you|the|it)|though|although|however|therefore|meaning|hence|then)|so (?:i|we|you|please)|but) /;
const IN_PLACE = onFirstUse(() => new RegExp(`${PLACE}(?= )`));

const LEADS = " (?:(?:because|since|as|given that|given|due to|with|in the absence of)(?= )|(?=without ))";
/** "Because there is no network, (I could not ...)", "There is no network, so (I could not ...)". */
const BEFORE = [
  new RegExp(`^${LEADS}(?<reason> ?.+) ,(?= )`, "d"),
  /^(?<reason>.+?)(?: [,;—:])? (?:so|hence|therefore|thus|which means(?: that)?|which is why|meaning(?: that)?)(?= )/d,
];
/** "Without a device (I could not ...)". */
const RIGHT_BEFORE = onFirstUse(() => new RegExp(`^${LEADS}(?<reason> ?.+)(?= $)`, "d"));

/** The reason that the words give for what a head says. */
export function findReason(words: string, head: Head): Reason | undefined {
  return findBehind(words, head) ?? findInPlace(words, head) ?? findBefore(words, head);
}

function findBehind(words: string, head: Head): Reason | undefined {
  const behindHead = BEHIND();
  behindHead.lastIndex = head.to;
  for (let found = behindHead.exec(words); found !== null; found = behindHead.exec(words)) {
    const { word = "", mark } = found.groups ?? {};
    const behind = found.index + found[0].length;
    const from = PART.test(word) ? found.index : behind;
    const reason = { from, to: findEnd(words, behind, mark === "("), border: found.index, side: "behind" } as const;
    if (isReason(words, reason, word, head.needs)) return reason;
  }
  return undefined;
}

function isReason(words: string, { from, to }: Range, word: string, needs: Need): boolean {
  const text = `${words.slice(from, to)} `;
  if (!/[a-z0-9]/.test(text) || NO_REASON.test(text)) return false;
  if (/^(?:since|as|given)$/.test(word) && !CLAUSE.test(text)) return false;
  return (needs === "anything" && word !== "") || tells(text, needs);
}

function tells(text: string, needs: Need): boolean {
  return (needs === "surroundings" ? SURROUNDINGS() : HINDRANCE).test(text);
}

function findEnd(words: string, from: number, inBrackets: boolean): number {
  const rest = words.slice(from);
  const close = findClosing(rest);
  const next = inBrackets ? -1 : rest.search(GOES_ON);
  const ends = [close, next].filter((end) => end >= 0);
  const end = ends.length === 0 ? rest.length : Math.min(...ends);
  return from + trimEnd(rest.slice(0, end)).length;
}

/** Where a bracket closes that was opened before. */
function findClosing(text: string): number {
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/ [()](?= |$)/g)) {
    depth += bracket === " (" ? 1 : -1;
    if (depth < 0) return index;
  }
  return -1;
}

function trimEnd(text: string): string {
  return text.replace(/(?: [.,;:!…—"'|])* ?$/, "");
}

/** "In this sandbox" is a reason of its own where no other is given. */
function findInPlace(words: string, { to, needs }: Head): Reason | undefined {
  const found = needs === "anything" ? IN_PLACE().exec(words.slice(to)) : null;
  if (found === null) return undefined;
  const from = to + found.index;
  return { from, to: from + found[0].length, border: from, side: "behind" };
}

function findBefore(words: string, head: Head): Reason | undefined {
  const before = `${words.slice(0, head.from)} `;
  for (const pattern of head.claim === "behind" ? [...BEFORE, RIGHT_BEFORE()] : BEFORE) {
    const found = pattern.exec(before);
    const [from, to] = found?.indices?.groups?.["reason"] ?? [0, 0];
    const reason = before.slice(from, to);
    if (found === null || !tells(`${reason} `, head.needs)) continue;
    return { from, to: from + trimEnd(reason).length, border: found[0].length, side: "before" };
  }
  return undefined;
}
