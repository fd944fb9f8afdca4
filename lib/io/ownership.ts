import { quoteForShell } from "../quote-for-shell.ts";
import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { dirname, join, sep } from "node:path";

/** What puts a folder into other hands, and what to do about it. */
export interface OwnershipProblem {
  /** The folder or link that is to blame, and why: `/srv/x, in which everybody may write`. */
  readonly got: string;
  readonly mend: string;
}

const STICKY = 0o1000;
const OTHERS_WRITE = 0o002;
const GROUP_WRITE = 0o020;
/** As many links in one path as Linux follows. */
const MAX_LINKS = 40;

interface Place {
  readonly path: string;
  readonly stats: Stats;
}

/**
 * Why an absolute folder is not ours alone: it, or a folder or link on the way to it, belongs to another account, or another account may put
 * something else in its place. The system's account may, and so may the owner of the first folder, who could move all the others. Undefined: all
 * is well as far as it is there yet, it cannot be looked at (then it cannot be used either), or the system knows no owners. Costs one `lstat`
 * for each part of the path. Access lists beyond the mode are not seen.
 */
export function findOwnershipProblem(folder: string, own = process.geteuid?.()): OwnershipProblem | undefined {
  if (own === undefined) return undefined;
  try {
    return walk(folder, own);
  } catch {
    return undefined;
  }
}

/** Why a folder must not be used, as one sentence; undefined: it may be. `variable` is the one with which another can be named. */
export function findFolderRefusal(folder: string, variable?: string): string | undefined {
  const problem = findOwnershipProblem(folder);
  if (problem === undefined) return undefined;
  const { got, mend } = problem;
  const orElse = variable === undefined ? "" : `, or name another folder in ${variable}`;
  return `expected ${folder} to be out of the reach of other accounts, got ${got}; ${mend}${orElse}`;
}

/** Throws the system's error where the path ends early. */
function walk(folder: string, own: number): OwnershipProblem | undefined {
  const first: Place = { path: sep, stats: lstatSync(sep) };
  const trusted = [own, 0, first.stats.uid];
  const left = split(folder);
  let place = first;
  for (let links = 0; links <= MAX_LINKS;) {
    const name = left.shift();
    if (name === undefined) return place.stats.uid === own ? findWriters(place, own) : blameOwner(place, own);
    // What stands in a folder with the sticky bit can be moved by its owner alone.
    const problem = (place.stats.mode & STICKY) === 0 ? findWriters(place, own) : undefined;
    if (problem !== undefined) return problem;
    const path = name === ".." ? dirname(place.path) : join(place.path, name);
    const next: Place = { path, stats: lstatSync(path) };
    if (!trusted.includes(next.stats.uid)) return blameOwner(next, own);
    if (!next.stats.isSymbolicLink()) {
      place = next;
      continue;
    }
    links += 1;
    const target = readlinkSync(path);
    left.unshift(...split(target));
    if (target.startsWith(sep)) place = first;
  }
  return undefined;
}

function split(path: string): string[] {
  return path.split(sep).filter((part) => part !== "" && part !== ".");
}

/** A group of the number of the account is taken for the account's own, which has no other member. */
function findWriters({ path, stats }: Place, own: number): OwnershipProblem | undefined {
  const { mode, gid } = stats;
  if (!stats.isDirectory()) return undefined;
  if ((mode & OTHERS_WRITE) !== 0)
    return { got: `${path}, in which every account may write`, mend: `run: chmod o-w ${quoteForShell(path)}` };
  if ((mode & GROUP_WRITE) === 0 || gid === 0 || gid === own) return undefined;
  return { got: `${path}, in which group ${gid} may write`, mend: `run: chmod g-w ${quoteForShell(path)}` };
}

function blameOwner({ path, stats }: Place, own: number): OwnershipProblem {
  const what = stats.isSymbolicLink() ? "a link that belongs" : "which belongs";
  return {
    got: `${path}, ${what} to account ${stats.uid} and not to ${own}`,
    mend: "give it to your account",
  };
}
