import type { Call } from "./shell/call.ts";

/**
 * What a command does to the files that checks see, other than going on with the work: it puts the work aside (`stash`) and
 * takes it out again (`unstash`), goes to another branch or commit (`switch`), begins a branch with the files as they are (`branch`), goes from
 * commit to commit in search of one (`bisect`), or brings an earlier state of files back (`restore`).
 */
export interface Move {
  readonly kind: "stash" | "unstash" | "switch" | "branch" | "bisect" | "restore";
  /** Where a switch goes, and the commit that files are restored from, where that is another; `-` is where it came from. */
  readonly to?: string;
}

/** The move that a call of git, or of `gh`, makes; undefined when it makes none. */
export function findGitMove({ program, args }: Call): Move | undefined {
  if (program === "gh") return args[0] === "pr" && args[1] === "checkout" ? switchTo(`pr ${args[2] ?? ""}`) : undefined;
  if (program !== "git") return undefined;
  const at = findVerb(args);
  return moveOf.get(args[at] ?? "")?.(args.slice(at + 1));
}

/** By git command; each gets the words behind it. */
const moveOf = new Map<string, (args: readonly string[]) => Move | undefined>([
  ["stash", findStashMove],
  ["checkout", findCheckout],
  ["switch", findSwitch],
  ["restore", findRestore],
  ["reset", findReset],
  ["revert", () => ({ kind: "restore" })],
  ...["rebase", "merge", "cherry-pick", "am"].map((verb) => [verb, findAbort] as const),
  ["apply", (args) => (isReversed(args) ? { kind: "restore" } : undefined)],
  ["bisect", ([verb = ""]) => findBisectMove(verb)],
]);

/** `git -C sub -c a=b stash`. */
function findVerb(args: readonly string[]): number {
  let at = 0;
  while (args[at]?.startsWith("-") === true) at += /^-[cC]$/.test(args[at] ?? "") ? 2 : 1;
  return at;
}

function findStashMove([verb = "push"]: readonly string[]): Move | undefined {
  if (verb === "pop" || verb === "apply") return { kind: "unstash" };
  return /^(?:push|save|-.*)$/.test(verb) ? { kind: "stash" } : undefined;
}

/** What was begun is taken back. */
function findAbort(args: readonly string[]): Move | undefined {
  return args.includes("--abort") ? { kind: "restore" } : undefined;
}

function findBisectMove(verb: string): Move | undefined {
  if (verb === "reset") return { kind: "bisect", to: "-" };
  return /^(?:start|good|bad|old|new|skip|next|run|replay)$/.test(verb) ? { kind: "bisect" } : undefined;
}

function findSwitch(args: readonly string[]): Move | undefined {
  return args.some((arg) => /^(?:-[cC]|--create|--force-create|--orphan)$/.test(arg))
    ? branchOf(findOperands(args))
    : switchTo(findRef(args));
}

/** A new branch begins with the files as they are, unless it says where. */
function branchOf([name, start]: readonly string[]): Move {
  return start === undefined || isHere(start) ? { kind: "branch" } : { kind: "switch", to: name ?? start };
}

/** What is taken out of the index alone stays in the files. */
function findRestore(args: readonly string[]): Move | undefined {
  const staysInFiles = args.includes("--staged") && !args.includes("--worktree");
  const at = args.findIndex((arg) => /^(?:-s|--source)$/.test(arg));
  const source = at < 0 ? args.map((arg) => /^--source=(.+)$/.exec(arg)?.[1]).find(Boolean) : args[at + 1];
  const rest = at < 0 ? args : args.toSpliced(at, 2);
  return staysInFiles ? undefined : restoreOf(findPaths(rest), source);
}

function findReset(args: readonly string[]): Move | undefined {
  return args.some((arg) => /^--(?:hard|keep|merge)$/.test(arg)) ? restoreOf([], findRef(args)) : undefined;
}

/** A path brings files back, a name goes there. */
function findCheckout(args: readonly string[]): Move | undefined {
  if (args.some((arg) => /^(?:-[bB]|--orphan)$/.test(arg))) return branchOf(findOperands(args));
  const dashes = args.indexOf("--");
  if (dashes >= 0) return restoreOf(findPaths(args), findRef(args.slice(0, dashes)));
  const [first, ...more] = findOperands(args);
  if (first === undefined) return switchTo(findRef(args));
  if (isFile(first)) return restoreOf([first, ...more]);
  return more.length > 0 ? restoreOf(more, first) : switchTo(first);
}

function isFile(name: string): boolean {
  return /^\.{1,2}$|^\.\.?\/|\/$|\.[A-Za-z]\w*$|(?:^|\/)(?:[A-Z][a-z]+file|LICENSE|README)$/.test(name);
}

/** What stands behind `--`; without it, everything that is no flag. */
function findPaths(args: readonly string[]): readonly string[] {
  return findOperands(args.slice(args.indexOf("--") + 1));
}

function findOperands(args: readonly string[]): readonly string[] {
  return args.filter((arg) => !arg.startsWith("-"));
}

/** `-` is a place as well. */
function findRef(args: readonly string[]): string | undefined {
  return args.find((arg) => arg === "-" || !arg.startsWith("-"));
}

function switchTo(to: string | undefined): Move | undefined {
  return to === undefined || isHere(to) ? undefined : { kind: "switch", to };
}

/** Files that tools rewrite and prose: bringing them back undoes no work. */
const byTheWay = /(?:^|\/)(?:[\w.-]*lock[\w.-]*|go\.sum)$|\.(?:md|lock)$/i;

function restoreOf(paths: readonly string[], from?: string): Move | undefined {
  if (paths.length > 0 && paths.every((path) => byTheWay.test(path))) return undefined;
  return from === undefined || isHere(from) ? { kind: "restore" } : { kind: "restore", to: from };
}

/** The commit that is checked out already. */
function isHere(ref: string): boolean {
  return ref === "HEAD" || ref === "@";
}

/** Whether a patch is taken out, for `git apply` and `patch`. */
export function isReversed(args: readonly string[]): boolean {
  return args.some((arg) => arg === "-R" || arg === "--reverse");
}
