import type { Edit, Node } from "jsonc-parser";

/**
 * Edits of a JSON file with comments that touch nothing but one child of one object or array. (jsonc-parser's own `modify`
 * reformats the whole line it edits and lets a comment behind the last child slip to the new one.)
 */

/** Edits that put `value` behind the last child of `container`; `key` names it in an object. Same line style as its neighbours. */
export function appendChild(text: string, container: Node, value: unknown, key?: string): Edit[] {
  const layout = getLayout(text, container);
  const rendered =
    (key === undefined ? "" : `${JSON.stringify(key)}:${layout.multiline ? " " : ""}`) + render(value, layout);
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  if (last === undefined) {
    const before = layout.multiline ? layout.eol + layout.childIndent : "";
    const after = layout.multiline ? layout.eol + layout.ownIndent : "";
    const start = trimmedEnd(text, close);
    return [{ offset: start, length: close - start, content: before + rendered + after }];
  }
  const lastEnd = last.offset + last.length;
  const comma = findComma(text, lastEnd, close);
  const separator = layout.multiline ? layout.eol + layout.childIndent : "";
  // Behind any comment that follows the last child: that comment belongs to it.
  const insertAt = trimmedEnd(text, close);
  const added = separator + rendered + (comma === undefined ? "" : ",");
  if (comma !== undefined) return [{ offset: insertAt, length: 0, content: added }];
  if (insertAt === lastEnd) return [{ offset: lastEnd, length: 0, content: `,${added}` }];
  return [
    { offset: lastEnd, length: 0, content: "," },
    { offset: insertAt, length: 0, content: added },
  ];
}

/** Edits that take `child` (a property or an array element) out of its container, with the comma and white space that came with it. */
export function removeChild(text: string, child: Node): Edit[] {
  const siblings = child.parent?.children ?? [];
  const index = siblings.indexOf(child);
  const container = child.parent;
  if (container === undefined || index === -1) throw new Error("expected a child of an object or array, got a root");
  const close = container.offset + container.length - 1;
  const next = siblings[index + 1];
  const previous = siblings[index - 1];
  const childEnd = child.offset + child.length;
  const start = trimmedEnd(text, child.offset);
  const commaAfter = findComma(text, childEnd, next?.offset ?? close);
  const end = commaAfter === undefined ? childEnd : commaAfter + 1;

  const alone: Edit = { offset: start, length: end - start, content: "" };
  if (previous === undefined)
    return [next === undefined ? removeOnly(text, container, alone) : removeFirst(text, child, next, alone)];
  const commaBefore = findComma(text, previous.offset + previous.length, child.offset);
  if (commaAfter !== undefined || commaBefore === undefined) return [alone];
  // The last child took its separator from the one before it.
  if (commaBefore + 1 === start) return [{ offset: commaBefore, length: end - commaBefore, content: "" }];
  return [{ offset: commaBefore, length: 1, content: "" }, alone];
}

/** What stood before the first child stands before the next one then, where no comment is between them. */
function removeFirst(text: string, child: Node, next: Node, alone: Edit): Edit {
  const isPlain = text.slice(child.offset + child.length, next.offset).trim() === ",";
  return isPlain ? { offset: child.offset, length: next.offset - child.offset, content: "" } : alone;
}

/** With all white space, where no comment is left in the container. */
function removeOnly(text: string, container: Node, alone: Edit): Edit {
  const [open, close] = [container.offset + 1, container.offset + container.length - 1];
  const rest = text.slice(open, alone.offset) + text.slice(alone.offset + alone.length, close);
  return rest.trim() === "" ? { offset: open, length: close - open, content: "" } : alone;
}

interface Layout {
  readonly multiline: boolean;
  readonly eol: string;
  readonly unit: string;
  /** White space before the container's closing bracket, and before each of its children. */
  readonly ownIndent: string;
  readonly childIndent: string;
}

function getLayout(text: string, container: Node): Layout {
  const root = getRoot(container);
  const end = container.offset + container.length;
  const children = container.children ?? [];
  const spansLines = text.slice(container.offset, end).includes("\n");
  const rootIsEmpty = (root.children ?? []).length === 0;
  const rootSpansLines = text.slice(root.offset, root.offset + root.length).includes("\n");
  const unit = findIndent(text, root.children?.[0]) ?? "  ";
  const ownIndent = getLineIndent(text, spansLines ? end - 1 : container.offset);
  return {
    multiline: children.length > 0 ? spansLines : rootSpansLines || rootIsEmpty,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    unit,
    ownIndent,
    childIndent: findIndent(text, children.at(-1)) ?? ownIndent + unit,
  };
}

function render(value: unknown, layout: Layout): string {
  if (!layout.multiline) return JSON.stringify(value);
  return JSON.stringify(value, undefined, layout.unit).replaceAll("\n", layout.eol + layout.childIndent);
}

function getRoot(node: Node): Node {
  return node.parent === undefined ? node : getRoot(node.parent);
}

/** The white space before `node` when it is the first thing on its line. */
function findIndent(text: string, node: Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  const before = text.slice(text.lastIndexOf("\n", node.offset - 1) + 1, node.offset);
  return before.trim() === "" && text.slice(0, node.offset).includes("\n") ? before : undefined;
}

function getLineIndent(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** Where the text before `offset` ends, white space left out. */
function trimmedEnd(text: string, offset: number): number {
  return text.slice(0, offset).trimEnd().length;
}

/** The first comma outside comments between two offsets that hold no value. */
function findComma(text: string, start: number, end: number): number | undefined {
  for (const match of text.slice(start, end).matchAll(/\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|,/g)) {
    if (match[0] === ",") return start + match.index;
  }
  return undefined;
}
