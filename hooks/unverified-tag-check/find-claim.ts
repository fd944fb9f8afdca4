import { onFirstUse } from "../../lib/first-use.ts";
import type { Head, Range } from "./find-heads.ts";
import type { Reason } from "./find-reason.ts";
import { PLACE, PRONOUN } from "./vocabulary.ts";

/** Where an object ends that no reason follows. */
const GOES_ON = / (?:[;—.]|, (?:so|but|which|and (?:i|we|you)|though|although|however)|so (?:i|we)|but) /;
/** What parts a subject from what stands before it. */
const NEW_SUBJECT = /^.* (?:;|—|:|, (?:but|and|so|though|while|whereas|yet)|but|while|whereas|although|though) (?=\S)/;
const LEAD =
  /^(?: (?:that|whether|if|for|on|out|to see (?:if|whether)|but|and|so|also|though|however|caveat|note|[,:;—().|])(?= ))+/;
const TAIL = onFirstUse(
  () =>
    new RegExp(
      `(?:(?: (?:here|locally|yet|myself|directly|end-to-end|end to end|at all|fully|right now|either|today|so far|but|and|though|although|however|still|currently|[.,:;!—(|"'])|${PLACE}))+$`,
    ),
);

/** What is not verified, as the sentence itself names it; undefined where it only says "it". */
export function findClaim(words: string, head: Head, reason: Reason): Range | undefined {
  if (typeof head.claim === "object") return named(words, head.claim);
  if (head.claim === "before") {
    const subject = named(words, getSubject(words, head, reason));
    return subject ?? (reason.side === "behind" ? named(words, { from: head.to, to: reason.border }) : undefined);
  }
  const object = named(words, getObject(words, head, reason));
  if (object !== undefined || reason.side === "before") return object;
  // "The retry works, but I could not verify it: ..."
  const statement = named(words, { from: 0, to: head.from });
  return statement !== undefined && countWords(words, statement) > 2 ? statement : undefined;
}

function getObject(words: string, { to }: Head, reason: Reason): Range {
  if (reason.side === "behind") return { from: to, to: reason.border };
  const end = `${words.slice(to)} `.search(GOES_ON);
  return { from: to, to: end < 0 ? words.length : to + end };
}

function getSubject(words: string, head: Head, reason: Reason): Range {
  const from = reason.side === "before" ? reason.border : 0;
  const before = `${words.slice(from, head.from)} `;
  const skipped = NEW_SUBJECT.exec(before)?.[0].length ?? 1;
  return { from: from + skipped - 1, to: head.from };
}

function named(words: string, { from, to }: Range): Range | undefined {
  const text = words.slice(from, to).trimEnd();
  const lead = LEAD.exec(`${text} `)?.[0].length ?? 0;
  const rest = text.slice(lead).replace(TAIL(), "");
  if (!/[a-z0-9\u00C0-\u024F]/.test(rest) || PRONOUN.test(`${rest} `)) return undefined;
  return { from: from + lead, to: from + lead + rest.length };
}

function countWords(words: string, { from, to }: Range): number {
  return words.slice(from, to).trim().split(" ").length;
}
