import { findCheck } from "./find-checks.ts";
import { mayMoveTree } from "./prefilter.ts";
import { findGitMove, isReversed, type Move } from "./git-moves.ts";
import type { Call } from "./shell/call.ts";
import { resolvePath } from "./shell/paths.ts";
import { findSteps } from "./shell/steps.ts";

/** A move, and where in its line it stands. */
export interface TreeMove extends Move {
  /** How many checks of the line come before it. */
  readonly after: number;
}

/** The moves of a line, in order. Total: any text, no throw. */
export function findTreeMoves(command: string, cwd = ""): readonly TreeMove[] {
  if (!mayMoveTree(command)) return [];
  try {
    return readMoves(command, cwd);
  } catch {
    return []; // a line that overflows the parser's stack
  }
}

function readMoves(command: string, cwd: string): readonly TreeMove[] {
  const moves: TreeMove[] = [];
  const writes: Write[] = [];
  let after = 0;
  for (const step of findSteps(command, cwd)) {
    if (findCheck(step) !== undefined) after++;
    const move = findGitMove(step.call) ?? findPatchBack(step.call);
    if (move !== undefined) moves.push({ ...move, after });
    const write = findWrite(step.call, after);
    if (write === undefined) continue;
    if (writesBack(write, writes)) moves.push({ kind: "restore", after });
    writes.push(write);
  }
  return moves;
}

function findPatchBack({ program, args }: Call): Move | undefined {
  return program === "patch" && isReversed(args) ? { kind: "restore" } : undefined;
}

/** A file that a step of the line wrote. */
interface Write {
  readonly to: string;
  /** What was copied or moved there; absent: it was edited in place. */
  readonly from?: string;
  readonly after: number;
}

function findWrite({ program, args, cwd }: Call, after: number): Write | undefined {
  const files = args.filter((arg) => !arg.startsWith("-"));
  const to = files.at(-1);
  if (to === undefined) return undefined;
  const place = resolvePath(cwd, to);
  if (program === "cp" || program === "mv") {
    const from = resolvePath(cwd, files[0] ?? "");
    return files.length === 2 ? { to: place, from, after } : undefined;
  }
  const inPlace = (program === "sed" || program === "perl") && args.some((arg) => /^-\w*i|^--in-place/.test(arg));
  return inPlace ? { to: place, after } : undefined;
}

const backup = /(?:\.(?:bak|orig|backup|save|saved|old)|~)$/;

/** It puts a saved file back, or edits one a second time after a check. */
function writesBack({ to, from, after }: Write, earlier: readonly Write[]): boolean {
  if (from === undefined) return earlier.some((write) => write.to === to && write.after < after);
  if (backup.test(from) && !backup.test(to)) return true;
  return earlier.some((write) => write.from === to && write.to === from);
}
