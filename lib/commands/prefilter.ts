import { hints, programs } from "./telltales.ts";

const known: ReadonlySet<string> = new Set(programs);

/**
 * Whether a command line can hold a check: a look at its text that is much cheaper than parsing it, for the many lines that
 * only read or edit. It may say yes to a line without a check, never no to a line with one: quotes and escapes cannot hide a
 * name from it, and a line that may put a name together from variables always passes.
 */
export function mayCheck(command: string): boolean {
  if (mayBuildWords(command)) return true;
  const text = command.replaceAll(/\\\r?\n|["'\\]/g, "");
  const small = text.toLowerCase();
  return hints.some((hint) => hint.test(small)) || hasProgram(text.match(/[\w.-]+/g) ?? []);
}

/** `py$X`, `${A}test`, an assignment with an expansion behind it, and quotes whose escapes spell letters. */
function mayBuildWords(command: string): boolean {
  const last = command.lastIndexOf("$");
  if (last < 0) return false;
  const assignment = /(?:^|[\s;&|(])\w+=/.exec(command);
  if (assignment !== null && assignment.index < last) return true;
  return /\$'|[\w-]["']?\$\{?\w|\$(?:\w+["']+|\{\w+\}["']*)[\w-]/.test(command);
}

/** git is in nearly every line, and checks only with `--check`. */
function hasProgram(words: readonly string[]): boolean {
  for (const word of words) {
    const name = word.includes(".") ? word.replace(/\.(?:exe|EXE|cmd|CMD|bat|BAT)$/, "") : word;
    if (known.has(name) && (word !== "git" || words.includes("--check"))) return true;
  }
  return false;
}

/** Whether a command line may move the tree: a look at its text, much cheaper than parsing it. */
export function mayMoveTree(command: string): boolean {
  return mayMove.test(command);
}

/** Fits every line that moves anything. */
const mayMove =
  /\b(?:stash|checkout|switch|restore|reset|revert|bisect|cp|mv)\b| --abort\b|\b(?:apply|patch)\b[^\n]{0,200} -(?:R|-reverse)|\b(?:sed|perl)\b[^\n]{0,100} -(?:\w*i|-in-place)/;
