import type { Span } from "./spans.ts";

/** A fenced block of code, from the line that opens it to the end of the one that closes it. */
export interface Fence extends Span {
  /** False: it goes on to the end of the text, or of the quotation that holds it. */
  readonly closed: boolean;
}

interface Opening {
  readonly start: number;
  readonly mark: string;
  readonly quoted: boolean;
}

const OPENS = /^[ \t]*(>[ \t>]*)?(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})/;
const QUOTED = /^[ \t]*>[ \t>]*/;

/** The fenced blocks of a Markdown text, in order; a mark inside one opens none. */
export function findFences(text: string): readonly Fence[] {
  if (!/`{3}|~{3}/.test(text)) return [];
  const fences: Fence[] = [];
  let open: Opening | undefined;
  let start = 0;
  const close = (end: number, closed: boolean): void => {
    if (open !== undefined) fences.push({ start: open.start, end, closed });
    open = undefined;
  };
  for (const line of text.split("\n")) {
    if (open?.quoted === true && !QUOTED.test(line)) close(start - 1, false);
    if (open === undefined) open = findOpening(line, start);
    else if (isClosing(line, open)) close(start + line.length, true);
    start += line.length + 1;
  }
  close(text.length, false);
  return fences;
}

/** Backticks that another one follows in the same line are inline code. */
function findOpening(line: string, start: number): Opening | undefined {
  const [found = "", quote, mark = ""] = OPENS.exec(line) ?? [];
  if (mark === "" || (mark.startsWith("`") && line.includes("`", found.length))) return undefined;
  return { start, mark, quoted: quote !== undefined };
}

function isClosing(line: string, { mark, quoted }: Opening): boolean {
  const bare = (quoted ? line.replace(QUOTED, "") : line).trim();
  return bare.length >= mark.length && bare === mark.charAt(0).repeat(bare.length);
}
