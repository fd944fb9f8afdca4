/** Lines of what stays that are shown around a change. */
const CONTEXT = 2;
const MAX_WIDTH = { " ": 200, "+": 2000, "-": 2000 };
/** Edits of ours touch few lines; a text that differs in more is told as a whole. */
const MAX_EDITS = 400;

/** What becomes of one line. */
interface Line {
  readonly sign: " " | "+" | "-";
  readonly text: string;
}

/**
 * The lines that tell two texts apart, as `diff -u` has them; an absent text has no lines, and no text gives no line end. Long lines are cut, but where they change
 * not before our own commands, which are there to be read.
 */
export function diffLines(before: string, after: string): string[] {
  const lines = compare(splitLines(before), splitLines(after));
  const shown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ sign }) => sign !== " "),
  );
  return lines.flatMap(({ sign, text }, index) => {
    if (!shown[index]) return [];
    const gap = index > 0 && !shown[index - 1] ? ["@@"] : [];
    return [...gap, `${sign}${clip(text, MAX_WIDTH[sign])}`];
  });
}

function splitLines(text: string): string[] {
  return text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}... (${text.length} characters)`;
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  const start = countSame(before, after, (lines, index) => lines[index]);
  const rest = [before.slice(start), after.slice(start)] as const;
  const end = countSame(...rest, (lines, index) => lines[lines.length - 1 - index]);
  const [left, right] = rest.map((lines) => lines.slice(0, lines.length - end));
  const middle = findShortest(left ?? [], right ?? []);
  const same = (texts: readonly string[]): Line[] => texts.map((text) => ({ sign: " ", text }));
  return [...same(before.slice(0, start)), ...middle, ...same(before.slice(before.length - end))];
}

function countSame(
  before: readonly string[],
  after: readonly string[],
  at: (lines: readonly string[], index: number) => string | undefined,
): number {
  const most = Math.min(before.length, after.length);
  let count = 0;
  while (count < most && at(before, count) === at(after, count)) count += 1;
  return count;
}

/** The shortest list of edits, by Myers' greedy search ("An O(ND) Difference Algorithm", 1986): the furthest reach on each diagonal, edit by edit. */
function findShortest(before: readonly string[], after: readonly string[]): Line[] {
  const reached: Map<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= MAX_EDITS; edits += 1) {
    reached.push(furthest);
    const next = new Map(furthest);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = getStart(furthest, diagonal, edits);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return walkBack(before, after, reached);
    }
    furthest = next;
  }
  return [...before.map((text): Line => ({ sign: "-", text })), ...after.map((text): Line => ({ sign: "+", text }))];
}

/** Where an edit onto the diagonal lands: a line taken out, or a line put in. */
function getStart(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): number {
  return isPutIn(furthest, diagonal, edits) ? get(furthest, diagonal + 1) : get(furthest, diagonal - 1) + 1;
}

function isPutIn(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  return diagonal === -edits || (diagonal !== edits && get(furthest, diagonal - 1) < get(furthest, diagonal + 1));
}

function get(furthest: ReadonlyMap<number, number>, diagonal: number): number {
  return furthest.get(diagonal) ?? 0;
}

function walkBack(
  before: readonly string[],
  after: readonly string[],
  reached: readonly ReadonlyMap<number, number>[],
): Line[] {
  const lines: Line[] = [];
  let [x, y] = [before.length, after.length];
  for (let edits = reached.length - 1; edits >= 0; edits -= 1) {
    const furthest = reached[edits] ?? new Map<number, number>();
    const diagonal = x - y;
    const putIn = isPutIn(furthest, diagonal, edits);
    const fromX = edits === 0 ? 0 : getStart(furthest, diagonal, edits);
    while (x > fromX) {
      lines.push({ sign: " ", text: before[x - 1] ?? "" });
      x -= 1;
      y -= 1;
    }
    if (edits === 0) break;
    if (putIn) lines.push({ sign: "+", text: after[--y] ?? "" });
    else lines.push({ sign: "-", text: before[--x] ?? "" });
  }
  return lines.reverse();
}
