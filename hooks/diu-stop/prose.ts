import { findFences } from "../../lib/prose/find-fences.ts";
import { maskBlocks } from "../../lib/prose/mask.ts";

/** A row of a table, as Markdown or as lines that programs draw. */
const ROW = /^\s*[|│┃┌└├╭╰╔╚╠║]/;
/** Between a table's head and its body: `--- | :---:`. */
const DELIMITER = /^[\s|:-]+$/;
const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;
const INDENTED = /^(?: {4}| {0,3}\t)/;

/**
 * The lines of a Markdown text that say something in the writer's own words, as they stand: without fenced and indented code, tables and
 * block quotations. A fence that is never closed goes on to the end, as Markdown has it. A blank line stays between two paragraphs.
 */
export function selectProse(markdown: string): readonly string[] {
  const text = markdown.replace(/\r\n?/g, "\n");
  const lines = dropTables(dropIndented(maskBlocks(text, findFences(text)).split("\n")))
    .map((line) => line.trimEnd())
    .filter((line, index, all) => line !== "" || all[index - 1] !== "");
  const first = lines[0] === "" ? 1 : 0;
  return lines.slice(first, lines.at(-1) === "" ? -1 : undefined);
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

function isDelimiter(line: string): boolean {
  return DELIMITER.test(line) && line.includes("|") && line.includes("-");
}
