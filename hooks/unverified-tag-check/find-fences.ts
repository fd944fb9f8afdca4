/** A fenced block of code, from the line that opens it to the end of the one that closes it. */
export interface Fence {
  readonly start: number;
  readonly end: number;
  /** False: it goes on to the end of the text. */
  readonly closed: boolean;
}

const OPENS = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/;

/** The fenced blocks of a Markdown text, in order; a mark inside one opens none. */
export function findFences(text: string): readonly Fence[] {
  if (!/`{3}|~{3}/.test(text)) return [];
  const fences: Fence[] = [];
  let open: { readonly start: number; readonly mark: string } | undefined;
  let start = 0;
  for (const line of text.split("\n")) {
    const end = start + line.length;
    if (open === undefined) {
      const mark = findMark(line);
      if (mark !== undefined) open = { start, mark };
    } else if (closes(line, open.mark)) {
      fences.push({ start: open.start, end, closed: true });
      open = undefined;
    }
    start = end + 1;
  }
  return open === undefined ? fences : [...fences, { start: open.start, end: text.length, closed: false }];
}

/** Backticks that another one follows in the same line are inline code. */
function findMark(line: string): string | undefined {
  const [, mark, info = ""] = OPENS.exec(line) ?? [];
  return mark?.startsWith("`") === true && info.includes("`") ? undefined : mark;
}

function closes(line: string, mark: string): boolean {
  const bare = line.replace(/^[ \t>]+/, "").trimEnd();
  return bare.length >= mark.length && bare === mark.charAt(0).repeat(bare.length);
}
