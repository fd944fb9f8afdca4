import { pairBackticks } from "../../lib/prose/find-code.ts";
import { findFences } from "../../lib/prose/find-fences.ts";
import { blankSpans, type Span } from "../../lib/prose/spans.ts";

/** Something that the reply says it has not verified, and why not. */
export interface Admission extends Span {
  readonly claim: string;
  readonly reason: string;
}

/** The tags of a reply. */
export interface Markup {
  /** The well-formed ones, in order. */
  readonly tags: readonly Admission[];
  /** Every tag, well-formed or not. */
  readonly tagSpans: readonly Span[];
}

const OPENING = "{{CAT-UNVERIFIED:";
const TAG = /\{\{CAT-UNVERIFIED:((?:(?!\{\{CAT-UNVERIFIED:)[^}])*)\}\}/y;
const REASON = /cannot verify\s*:/i;
const STARTS = /`+|\{\{CAT-UNVERIFIED:/g;

/**
 * Reads `{{CAT-UNVERIFIED: claim -- cannot verify: reason}}`. Well-formed is a claim and a reason of words behind "cannot verify:", which neither
 * holds `}` nor is a placeholder such as `<claim>`. What stands in closed fences or inline code is shown, not said; code inside a tag belongs to
 * it. A fence that nobody closes hides no tag: whoever writes one means it.
 */
export function findMarkup(reply: string): Markup {
  const closed = findFences(reply).filter((fence) => fence.closed);
  const text = blankSpans(reply, closed, " ");
  const tags: Admission[] = [];
  const tagSpans: Span[] = [];
  const codeEnds = pairBackticks(text);
  STARTS.lastIndex = 0;
  for (let found = STARTS.exec(text); found !== null; found = STARTS.exec(text)) {
    const start = found.index;
    if (found[0] === OPENING) {
      const body = matchTag(text, start);
      const end = body === undefined ? STARTS.lastIndex : start + OPENING.length + body.length + "}}".length;
      tagSpans.push({ start, end });
      const parts = body === undefined ? undefined : parseBody(body);
      if (parts !== undefined) tags.push({ ...parts, start, end });
      STARTS.lastIndex = end;
    } else {
      STARTS.lastIndex = codeEnds.get(start) ?? STARTS.lastIndex;
    }
  }
  return { tags, tagSpans };
}

function matchTag(text: string, start: number): string | undefined {
  TAG.lastIndex = start;
  return TAG.exec(text)?.[1];
}

function parseBody(body: string): { readonly claim: string; readonly reason: string } | undefined {
  const found = REASON.exec(body);
  if (found === null) return undefined;
  const claim = trimMarks(body.slice(0, found.index));
  const reason = trimMarks(body.slice(found.index + found[0].length));
  return isSaid(claim) && isSaid(reason) ? { claim, reason } : undefined;
}

/** Without blanks, dashes, colons and commas at either end, in one line. */
function trimMarks(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  const isMark = (at: number): boolean => /[\s,;:–—‒―−-]/.test(line.charAt(at));
  let start = 0;
  let end = line.length;
  while (start < end && isMark(start)) start++;
  while (end > start && isMark(end - 1)) end--;
  return line.slice(start, end);
}

function isSaid(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text) && !/^<[^<>]*>$/.test(text);
}
