/** What others wrote, or what is shown as code, has other words than its own to answer for: it is no statement of the reply. */
const FENCE = /^\s*(`{3,}|~{3,})/;
const BLOCK_QUOTE = /^\s*>/;

/** A quotation is a phrase: what is longer has most likely begun with an inch mark or ended without one. */
const MAX_QUOTATION = 300;

/**
 * The reply with code, quoted lines and quotations blanked out, character by character: what is left stands where it stood. A fence or a
 * quotation that nobody closes hides nothing. An inch mark opens no quotation.
 */
export function blankQuoted(text: string): string {
  return blankBlocks(text.split("\n")).map(blankSpans).join("\n");
}

function blankBlocks(lines: readonly string[]): readonly string[] {
  const closedBy = findClosings(lines);
  const result: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const end = closedBy.get(i) ?? i;
    const isBlock = closedBy.has(i) || BLOCK_QUOTE.test(lines[i] ?? "");
    for (; i <= end; i++) result.push(isBlock ? blank(lines[i] ?? "") : (lines[i] ?? ""));
    i--;
  }
  return result;
}

/** The line that closes each line that opens a fence: of the same mark, at least as long, and bare. */
function findClosings(lines: readonly string[]): ReadonlyMap<number, number> {
  const closings = new Map<number, number>();
  let open: { readonly line: number; readonly mark: string } | undefined;
  for (const [index, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (mark === undefined) continue;
    if (open === undefined) open = { line: index, mark };
    else if (line.trim() === mark && mark.startsWith(open.mark)) {
      closings.set(open.line, index);
      open = undefined;
    }
  }
  return closings;
}

function blankSpans(line: string): string {
  return blankQuotations(blankCode(line));
}

/** A run of backticks is closed by the next run of the same length. */
function blankCode(line: string): string {
  if (!line.includes("`")) return line;
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }));
  const next = new Map<number, number>();
  const closing = runs.map(() => -1);
  for (let i = runs.length - 1; i >= 0; i--) {
    const length = runs[i]?.length ?? 0;
    closing[i] = next.get(length) ?? -1;
    next.set(length, i);
  }
  let result = line;
  const pieces: string[] = [];
  let at = 0;
  for (let i = 0; i < runs.length; i++) {
    const end = runs[closing[i] ?? -1];
    const start = runs[i]?.index ?? 0;
    if (end === undefined) continue;
    pieces.push(line.slice(at, start), " ".repeat(end.index + end.length - start));
    at = end.index + end.length;
    i = closing[i] ?? i;
  }
  if (pieces.length > 0) result = pieces.join("") + line.slice(at);
  return result;
}

const OPENS = /[\s([{*_:;,—–/-]/;
const CLOSES = /[\s.,:;!?)\]}*_—–/-]/;

/** A quotation opens before a word and closes behind one: `5" wide` does neither. */
function blankQuotations(line: string): string {
  if (!/["“]/.test(line)) return line;
  const pieces: string[] = [];
  let at = 0;
  let open = -1;
  for (let i = 0; i < line.length; i++) {
    const char = line[i];
    if (open >= 0 && isClosing(line, i)) {
      if (i - open <= MAX_QUOTATION) {
        pieces.push(line.slice(at, open), " ".repeat(i + 1 - open));
        at = i + 1;
      }
      open = -1;
    } else if (char === "“" || (char === '"' && isOpening(line, i))) open = i;
  }
  return pieces.join("") + line.slice(at);
}

function isOpening(line: string, i: number): boolean {
  return (i === 0 || OPENS.test(line[i - 1] ?? "")) && /\S/.test(line[i + 1] ?? " ");
}

function isClosing(line: string, i: number): boolean {
  if (line[i] === "”") return true;
  if (line[i] !== '"' || !/\S/.test(line[i - 1] ?? " ")) return false;
  return i + 1 === line.length || CLOSES.test(line[i + 1] ?? "");
}

function blank(text: string): string {
  return " ".repeat(text.length);
}
