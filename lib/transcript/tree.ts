import type { TreeMove } from "../commands/tree-moves.ts";

/** Which state of the files checks see, as far as the commands tell: a branch or commit, and whether work is put aside. */
export interface Tree {
  /** Empty: where the session began. */
  readonly at: string;
  /** Where the last switch came from. */
  readonly before: string;
  readonly stashed: number;
}

const start: Tree = { at: "", before: "", stashed: 0 };

/**
 * In no state that can be compared with another: where a check of a line ran whose files were put back before the line ended, and wherever a bisection
 * goes.
 */
const NOWHERE = "\0";
const MAX_PLACE = 100;
const MAX_STASHES = 20;

/** The trees that the checks of one line ran in, and what the line leaves. */
export interface Moved {
  /** One name a check; absent when all ran where the session began. */
  readonly trees?: readonly string[];
  readonly tree?: Tree;
  /** An earlier state of files was brought back: what failed before need not fail any more. */
  readonly restored: boolean;
}

/** The name of a tree; empty where the session began. */
export function getTreeName({ at, stashed }: Tree = start): string {
  return at + "~".repeat(stashed);
}

/** Whether what runs now can be compared with nothing. */
export function isNowhere({ at }: Tree = start): boolean {
  return at === NOWHERE;
}

/** Takes the moves of a line with so many checks. */
export function moveTree(tree: Tree | undefined, moves: readonly TreeMove[], checks: number): Moved {
  let now = tree ?? start;
  const trees: string[] = [];
  for (let at = 0; at <= checks; at++) {
    for (const move of moves) if (move.after === at) now = applyMove(now, move);
    if (at < checks) trees.push(isPutBack(moves, at) ? NOWHERE : getTreeName(now));
  }
  return {
    ...(trees.some((name) => name !== "") ? { trees } : {}),
    ...(now === start ? {} : { tree: now }),
    restored: moves.some(({ kind }) => kind === "restore"),
  };
}

function isPutBack(moves: readonly TreeMove[], at: number): boolean {
  return moves.some(({ kind, after }) => kind === "restore" && after > at);
}

function applyMove(tree: Tree, { kind, to = "" }: TreeMove): Tree {
  const { at, before, stashed } = tree;
  switch (kind) {
    case "stash":
      return { ...tree, stashed: Math.min(stashed + 1, MAX_STASHES) };
    case "unstash":
      return { ...tree, stashed: Math.max(stashed - 1, 0) };
    case "switch":
      return { ...tree, at: to === "-" ? before : getPlace(at, to), before: at };
    case "branch": // what is committed from now on is not where it came from
      return { ...tree, before: getPlace(at, "HEAD^") };
    case "bisect":
      return bisect(tree, to === "-");
    case "restore":
      return to === "" ? tree : { ...tree, at: getPlace(at, to) };
    default:
      return kind satisfies never;
  }
}

function bisect(tree: Tree, ends: boolean): Tree {
  const isUnderWay = tree.at === NOWHERE;
  return ends === isUnderWay ? { ...tree, at: ends ? tree.before : NOWHERE, before: tree.at } : tree;
}

/** The end of a long name tells more. `HEAD~2` is another commit from each place. */
function getPlace(at: string, to: string): string {
  return (/^(?:HEAD|ORIG_HEAD|@)(?!\w)/.test(to) ? `${at} ${to}` : to).slice(-MAX_PLACE);
}
