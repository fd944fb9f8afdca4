interface Fence {
  readonly mark: string;
  readonly length: number;
}

const FENCE = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}|~{3,})(.*)$/;
const QUOTE = /^\s*>/;
/** A row of a table, as Markdown or as lines that programs draw. */
const ROW = /^\s*[|│┃┌└├╭╰╔╚╠║]/;
/** Between a table's head and its body: `--- | :---:`. */
const DELIMITER = /^[\s|:-]+$/;
const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;
const INDENTED = /^(?: {4}| {0,3}\t)/;

/**
 * The lines of a Markdown text that say something in the writer's own words, as they stand: without fenced and indented code, tables and
 * block quotations. A blank line stays between two paragraphs.
 */
export function selectProse(markdown: string): readonly string[] {
  const lines = dropTables(dropIndented(dropFenced(markdown.split(/\r\n?|\n/))))
    .map((line) => (QUOTE.test(line) ? "" : line.trimEnd()))
    .filter((line, index, all) => line !== "" || all[index - 1] !== "");
  const first = lines[0] === "" ? 1 : 0;
  return lines.slice(first, lines.at(-1) === "" ? -1 : undefined);
}

/** A fence that is never closed goes on to the end, as Markdown has it. */
function dropFenced(lines: readonly string[]): readonly string[] {
  let fence: Fence | undefined;
  return lines.map((line) => {
    const before = fence;
    fence = before === undefined ? findFence(line) : closes(line, before) ? undefined : before;
    return before === undefined && fence === undefined ? line : "";
  });
}

/** Indented lines after a blank one are code, but for those that go on with an item of a list. */
function dropIndented(lines: readonly string[]): readonly string[] {
  let inList = false;
  let mayBegin = true;
  return lines.map((line) => {
    const isIndented = INDENTED.test(line);
    const isCode: boolean = isIndented && mayBegin && !inList;
    const isBlank = line.trim() === "";
    if (!isBlank && !isIndented) inList = LIST_ITEM.test(line) || (inList && (!mayBegin || line.startsWith("  ")));
    mayBegin = isCode || isBlank;
    return isCode ? "" : line;
  });
}

/** A table begins with a head above a delimiter and ends with the first line that has no cell; drawn rows need neither. */
function dropTables(lines: readonly string[]): readonly string[] {
  let inTable = false;
  return lines.map((line, index) => {
    inTable = line.includes("|") && (inTable || isDelimiter(lines[index + 1] ?? ""));
    return inTable || ROW.test(line) ? "" : line;
  });
}

function findFence(line: string): Fence | undefined {
  const [, run = "", info = ""] = FENCE.exec(line) ?? [];
  const mark = run.charAt(0);
  return mark === "" || (mark === "`" && info.includes("`")) ? undefined : { mark, length: run.length };
}

function closes(line: string, { mark, length }: Fence): boolean {
  const text = line.trim();
  return text.length >= length && text === mark.repeat(text.length);
}

function isDelimiter(line: string): boolean {
  return DELIMITER.test(line) && line.includes("|") && line.includes("-");
}

/** A line with each code span made one word, "`": it names one thing, however many blanks it has. */
export function foldCodeSpans(line: string): string {
  return line.replace(/(?<!`)`+[^`]+`+/g, "`");
}
