import { onFirstUse } from "../../lib/first-use.ts";
const TEXTS =
  "(?:answer|article|breakdown|comparison|description|docs?|documentation|essay|explanation|guide|overview|plan|post|proposal|report|review|spec|specification|story|summary|tutorial|walk-?through|write-?up)s?";

/** What asks for a long text in so many words. */
const WISHES = [
  String.raw`in(?:to)? (?:\w+ )?(?:detail|depth)`,
  "in-depth",
  String.raw`at (?:\w+ )?length`,
  String.raw`(?:give|need|want|with) (?:\w+ ){0,2}details?`,
  "walk (?:me|us) through",
  "step[ -]by[ -]step",
  "elaborate",
  String.raw`(?:[2-9]\d\d|\d{4,}|\d,\d{3}) words`,
  String.raw`(?:comprehensive|complete|detailed|exhaustive|extensive|full|long|longer|thorough) (?:\w+ )?${TEXTS}`,
  String.raw`(?:write|draft|give) (?:me |us |up )?(?:a|an|the) (?:[\w-]+ )?(?:article|essay|post|proposal|report|spec|specification|story|tutorial|write-?up)`,
];
const WISH = onFirstUse(() => new RegExp(String.raw`\b(?:${WISHES.join("|")})\b`, "g"));

/** What asks for a short one. It wins: "in detail, but briefly" is for the judge. */
const BREVITY =
  /\b(?:brief|briefly|concise|concisely|short|shortly|tl;?dr|(?:one|two|three|few|a couple of|\d) (?:sentence|line|word|bullet)s?)\b/;

const DENIED = /(?:\b(?:no|not|never|without|avoid|skip|less)|n['’]t)(?: [\w'’-]+){0,3} $/;

/**
 * Whether the message asks for a long text in so many words, such as "in detail" or "write a report": the judge would say no more. Anything less plain is
 * left to the judge.
 */
export function wantsLength(message: string): boolean {
  const text = message.toLowerCase().replace(/\s+/g, " ");
  if (BREVITY.test(text)) return false;
  return [...text.matchAll(WISH())].some(({ index }) => !DENIED.test(text.slice(Math.max(0, index - 40), index)));
}
