import { looksLikePath, parentFolder, resolvePath } from "./shell/paths.ts";
import { findFlag, type Flag, type FlagTable } from "./flag-table.ts";

/** What the words that are no flags are. `mixed`: files when they look like paths, else filters. */
export type OperandRole = "files" | "filters" | "projects" | "mixed" | "noise";

export interface ArgsSpec {
  readonly operands: OperandRole;
  /** What stands behind a lone `--`; as `operands` when absent. `flags`: more flags and operands. */
  readonly rest?: OperandRole | "flags";
  readonly flags: FlagTable;
  /** Flags that related tools share. */
  readonly sharedFlags?: FlagTable;
}

/** The words behind a program and its sub-command, by what they do. */
export interface ParsedArgs {
  readonly cwd: string;
  readonly project: readonly string[];
  readonly files: readonly string[];
  readonly filters: readonly string[];
  readonly config: readonly string[];
  /** A flag says that nothing is checked. */
  readonly inert: boolean;
  /** Every flag seen, in its main spelling. */
  readonly flags: ReadonlySet<string>;
}

interface Collected extends ParsedArgs {
  cwd: string;
  inert: boolean;
  readonly project: string[];
  readonly files: string[];
  readonly filters: string[];
  readonly config: string[];
  readonly flags: Set<string>;
}

/** Sorts words by what they do. Flags that no table knows count as configuration, without a value. */
export function parseArgs(args: readonly string[], cwd: string, spec: ArgsSpec): ParsedArgs {
  const into: Collected = { cwd, inert: false, project: [], files: [], filters: [], config: [], flags: new Set() };
  const operands: (readonly [OperandRole, string])[] = [];
  const rest = spec.rest === undefined || spec.rest === "flags" ? spec.operands : spec.rest;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--" && spec.rest === "flags") continue;
    if (arg === "--") {
      for (const text of args.slice(at + 1)) if (findFlag(text, {})?.role !== "noise") operands.push([rest, text]);
      break;
    }
    if (/^[-+]./.test(arg) && !/^[-+]\d+$/.test(arg)) at += takeFlag(arg, args[at + 1], spec, into);
    else operands.push([spec.operands, arg]);
  }
  // Only now: a folder flag may stand behind the paths it moves.
  for (const [role, text] of operands) takeOperand(role, text, into);
  return into;
}

/** Books one flag; gives how many of the following words it took. */
function takeFlag(arg: string, next: string | undefined, spec: ArgsSpec, into: Collected): 0 | 1 {
  const equals = arg.indexOf("=");
  const inline = equals > 0 ? arg.slice(equals + 1) : undefined;
  const flag = findFlag(equals > 0 ? arg.slice(0, equals) : arg, spec.flags, spec.sharedFlags);
  if (flag === undefined) return takeCluster(arg, next, spec, into);
  if (!flag.takesValue || inline !== undefined) {
    const isValue = inline === undefined && (next === "true" || next === "false");
    book(flag, isValue ? next : inline, into);
    return isValue ? 1 : 0;
  }
  book(flag, next, into);
  return 1;
}

/** `-vq` is two switches, `-n4` and `-kslow` are a flag with its value. */
function takeCluster(arg: string, next: string | undefined, spec: ArgsSpec, into: Collected): 0 | 1 {
  const switches: Flag[] = [];
  for (let at = 1; /^-[A-Za-z]/.test(arg) && at < arg.length; at++) {
    const flag = findFlag(`-${arg.charAt(at)}`, spec.flags, spec.sharedFlags);
    if (flag === undefined) break;
    if (flag.takesValue) {
      const glued = arg.slice(at + 1);
      for (const each of switches) book(each, undefined, into);
      book(flag, glued === "" ? next : glued, into);
      return glued === "" ? 1 : 0;
    }
    switches.push(flag);
  }
  if (switches.length === arg.length - 1) for (const each of switches) book(each, undefined, into);
  else into.config.push(arg);
  return 0;
}

function book({ name, role, takesValue }: Flag, value: string | undefined, into: Collected): void {
  if (!takesValue && value === "false") return;
  into.flags.add(name);
  const given = value === "true" ? undefined : value;
  if (role === "inert") into.inert = true;
  else if (role === "project") into.project.push(given ?? name);
  else if (role === "filter") into.filters.push(given === undefined ? name : `${name} ${given}`);
  else if (role === "config") {
    into.config.push(given === undefined ? name : `${name} ${settingText(given, into.cwd)}`);
  } else if (role !== "noise") bookPath(role, given ?? "", into);
}

function bookPath(role: "file" | "folder" | "manifest", path: string, into: Collected): void {
  if (role === "file") into.files.push(resolveFile(into.cwd, path));
  else into.cwd = role === "folder" ? resolvePath(into.cwd, path) : parentFolder(resolvePath(into.cwd, path));
}

function settingText(value: string, cwd: string): string {
  return looksLikePath(value) ? resolvePath(cwd, value) : value;
}

function takeOperand(role: OperandRole, text: string, into: Collected): void {
  if (role === "noise") return;
  if (role === "projects") into.project.push(text);
  else if (role === "files" || (role === "mixed" && looksLikePath(text))) into.files.push(resolveFile(into.cwd, text));
  else into.filters.push(text);
}

/** Only the part before `::` is a path: `tests/a.py::TestA::test_b`. */
function resolveFile(cwd: string, text: string): string {
  const colons = text.indexOf("::");
  return colons < 0 ? resolvePath(cwd, text) : resolvePath(cwd, text.slice(0, colons)) + text.slice(colons);
}
