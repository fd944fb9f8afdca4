import type { Command, CommandNode, CompoundList } from "unbash";
import type { Marks, OutputView } from "../check.ts";
import type { Call } from "./call.ts";
import { findEcho } from "./effects.ts";
import { resolvePath } from "./paths.ts";
import { wordBreak } from "./words.ts";

/** One program the line starts, with what the line does to its status and output. */
export interface Step {
  readonly call: Call;
  /** The call as it stands in the line, with its wrappers. */
  readonly written: Call;
  /** A failure of the line, or of the printed status, can only come from this step. */
  readonly ownsStatus: boolean;
  /** A failure of this step fails the line, or the printed status. */
  readonly failsLine: boolean;
  /** Steps of one number ran in order, each only because the ones before passed. */
  readonly chain: number;
  readonly view: OutputView;
  readonly marks: Marks;
}

/** Where a part of the line stands. */
export interface Place {
  readonly owns: boolean;
  readonly fails: boolean;
  /** The part's status is the status of the `&&` element around it. */
  readonly local: boolean;
  readonly view: OutputView;
  readonly chain: number;
  /** What is counted of the part's output. */
  readonly counts?: Marks["counts"];
  readonly seeksFailures?: true;
  /** The text before a status that the line prints for this part. */
  readonly status?: string;
}

/** A step whose marks are still being found. */
export interface Draft extends Step {
  readonly local: boolean;
  readonly marks: { -readonly [Name in keyof Marks]: Marks[Name] };
}

/** The state of the shell while its line is read from left to right. */
export interface Walk {
  cwd: string;
  readonly folders: string[];
  project: readonly string[];
  readonly variables: Map<string, string>;
  readonly functions: Map<string, CommandNode | CompoundList>;
  /** `NAME=value`, handed to every program that follows. */
  exports: readonly string[];
  errexit: boolean;
  pipefail: boolean;
  chains: number;
  heading: string | undefined;
  /** How many texts and substitutions are being read inside each other. */
  depth: number;
  /** How many more characters of words are read: variables and functions make a long line of a short one. */
  left: number;
  readonly drafts: Draft[];
}

const mostText = 64 * 1024;

export function startWalk(cwd: string): Walk {
  return {
    cwd: resolvePath("", cwd),
    folders: [],
    project: [],
    variables: new Map(),
    functions: new Map(),
    exports: [],
    errexit: false,
    pipefail: false,
    chains: 0,
    heading: undefined,
    depth: 0,
    left: mostText,
    drafts: [],
  };
}

/** A part that may not run, or runs more than once: its status is not the line's. */
export function maybe(place: Place): Place {
  return { ...place, owns: false, fails: false, local: false };
}

/** What is changed inside stays inside. */
export function inSubshell(walk: Walk, body: () => void): void {
  const { cwd, project, exports, errexit, pipefail } = walk;
  body();
  walk.cwd = cwd;
  walk.project = project;
  walk.exports = exports;
  walk.errexit = errexit;
  walk.pipefail = pipefail;
}

export function addStep(call: Call, written: Call, place: Place, walk: Walk): void {
  const { owns, fails, local, view, status, counts, seeksFailures } = place;
  const marks: Draft["marks"] = {};
  if (walk.heading !== undefined) marks.heading = walk.heading;
  if (status !== undefined) marks.status = status;
  if (counts !== undefined) marks.counts = counts;
  if (seeksFailures === true) marks.seeksFailures = true;
  // A step whose status is hidden proves nothing about the steps before or behind it.
  const chain = local ? place.chain : ++walk.chains;
  walk.drafts.push({ call, written, ownsStatus: owns, failsLine: fails, local, chain, view, marks });
}

/** Notes a text that the line prints only if the steps before it passed, or only if one failed. */
export function markOutcome(outcome: "passed" | "failed", text: string | undefined, drafts: readonly Draft[]): void {
  for (const draft of drafts) if (draft.local && text !== undefined) draft.marks[outcome] ??= text;
}

/** Notes a text behind which the line prints the status of the first program of the last pipe. */
export function markPipeStatus(text: string, from: number, walk: Walk): void {
  const at = walk.drafts.findIndex((draft, index) => index >= from && !draft.local);
  const draft = walk.drafts[at];
  if (draft === undefined) return;
  walk.drafts[at] = { ...draft, ownsStatus: true, failsLine: true, marks: { ...draft.marks, status: text } };
}

/** Commands that change or speak for the shell itself; true when this was one. */
export function changeShell(words: readonly string[], node: Command, walk: Walk): boolean {
  const [program = "", ...args] = words;
  switch (program) {
    case "cd":
    case "pushd":
      changeFolder(args.find((arg) => !/^-./.test(arg)) ?? "~", walk);
      return true;
    case "popd":
      walk.cwd = walk.folders.pop() ?? walk.cwd;
      return true;
    case "set":
      if (args.some((arg) => /^-[a-z]*e/.test(arg))) walk.errexit = true;
      if (args.includes("pipefail")) walk.pipefail = true;
      return true;
    case "shift":
      setArguments(getArguments(walk).slice(Number(args[0] ?? 1)), walk);
      return true;
    case "echo":
    case "printf":
      startSection(findEcho(node, walk.variables), walk);
      return true;
    default:
      return false;
  }
}

function changeFolder(folder: string, walk: Walk): void {
  const last = walk.folders.at(-1);
  walk.folders.push(walk.cwd);
  walk.cwd = folder === "-" ? (last ?? walk.cwd) : resolvePath(walk.cwd, folder);
}

/** Values are put into words, and those into values: what doubles must end. */
const longestValue = 2000;
const mostExports = 50;

/** Notes what a variable is set to. A longer value is not followed: its name stays in the words. */
export function setVariable(name: string, value: string, walk: Walk): void {
  if (value.length <= longestValue) walk.variables.set(name, value);
  else walk.variables.delete(name);
}

/** Reads the body of a function that is called with some arguments. */
export function withArguments(args: readonly string[], walk: Walk, body: () => void): void {
  const outer = getArguments(walk);
  setArguments(args, walk);
  body();
  setArguments(outer, walk);
}

const mostArguments = 9;

/** The words of `$@`; each of the first ones has a name of its own, `$1`. */
function setArguments(args: readonly string[], walk: Walk): void {
  setVariable("@", args.join(wordBreak), walk);
  for (let at = 0; at < mostArguments; at++) {
    const arg = args[at];
    if (arg === undefined) walk.variables.delete(`${at + 1}`);
    else setVariable(`${at + 1}`, arg, walk);
  }
}

function getArguments({ variables }: Walk): readonly string[] {
  const text = variables.get("@") ?? "";
  return text === "" ? [] : text.split(wordBreak);
}

/** Notes what is exported from here on; a name keeps its last value. */
export function exportVariables(assignments: readonly (readonly [string, string])[], walk: Walk): void {
  const fresh = assignments.flatMap(([name, value]) => (value.length <= longestValue ? [`${name}=${value}`] : []));
  walk.exports = [...withoutNames(walk.exports, fresh), ...fresh].slice(-mostExports);
}

/** The assignments whose names the others do not set. */
export function withoutNames(assignments: readonly string[], others: readonly string[]): readonly string[] {
  if (assignments.length === 0) return assignments;
  const names = new Set(others.map(nameOf));
  return assignments.filter((each) => !names.has(nameOf(each)));
}

function nameOf(assignment: string): string {
  return assignment.slice(0, assignment.indexOf("="));
}

/** A printed text ends the part of the output that belongs to the steps before it. */
function startSection(text: string | undefined, walk: Walk): void {
  if (text === undefined) return;
  for (const draft of walk.drafts) draft.marks.nextHeading ??= text;
  walk.heading = text;
}
