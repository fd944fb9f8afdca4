import { looksLikePath, parentFolder, resolvePath } from "./shell/paths.ts";

/**
 * What a flag does to a run. `noise` changes nothing of what is checked; `inert` means that this call checks nothing
 * (help, lists, fixers, watch modes). A role that ends in `=` takes a value. A text that begins with `-` is another
 * spelling of that flag.
 */
export type FlagRole =
  | "noise"
  | "noise="
  | "inert"
  | "inert="
  | "filter"
  | "filter="
  | "config"
  | "config="
  | "project"
  | "project="
  | "file="
  | "folder="
  | "manifest="
  | `-${string}`;

export type FlagTable = Readonly<Record<string, FlagRole>>;

/** What the words that are no flags are. `mixed`: files when they look like paths, else filters. */
export type OperandRole = "files" | "filters" | "projects" | "mixed" | "noise";

/** The parts of a command line after its program and sub-command. */
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

export interface ArgsSpec {
  readonly flags: FlagTable;
  readonly operands: OperandRole;
  /** What stands behind a lone `--`; as `operands` when absent. */
  readonly rest?: OperandRole | "flags";
}

/** Flags that mean the same for nearly every tool. A tool's own table wins. */
const commonFlags: FlagTable = {
  "--help": "inert",
  "-h": "inert",
  "--version": "inert",
  "-V": "inert",
  "-v": "noise",
  "--verbose": "noise",
  "-q": "noise",
  "--quiet": "noise",
  "--silent": "noise",
  "--color": "noise",
  "--colors": "noise",
  "--no-color": "noise",
  "--no-colors": "noise",
  "--colour": "noise",
};

interface Collected {
  cwd: string;
  inert: boolean;
  readonly project: string[];
  readonly files: string[];
  readonly filters: string[];
  readonly config: string[];
  readonly flags: Set<string>;
}

/** Sorts the words behind a program and its sub-command by what they do. Unknown flags count as configuration. */
export function parseArgs(args: readonly string[], cwd: string, spec: ArgsSpec): ParsedArgs {
  const into: Collected = { cwd, inert: false, project: [], files: [], filters: [], config: [], flags: new Set() };
  const operands: [OperandRole, string][] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--" && spec.rest === "flags") continue;
    if (arg === "--") {
      const rest = spec.rest === undefined || spec.rest === "flags" ? spec.operands : spec.rest;
      for (const text of args.slice(at + 1)) if (!isNoise(text)) operands.push([rest, text]);
      break;
    }
    if (/^[-+]./.test(arg) && !/^\+?-?\d+$/.test(arg)) at += takeFlag(arg, args[at + 1], spec.flags, into);
    else operands.push([spec.operands, arg]);
  }
  for (const [role, text] of operands) takeOperand(role, text, into);
  return into;
}

function isNoise(text: string): boolean {
  return Object.hasOwn(commonFlags, text) && commonFlags[text] === "noise";
}

/** Books one flag; gives how many of the following words it took. */
function takeFlag(arg: string, next: string | undefined, table: FlagTable, into: Collected): 0 | 1 {
  const equals = arg.indexOf("=");
  const name = equals > 0 ? arg.slice(0, equals) : arg;
  const inline = equals > 0 ? arg.slice(equals + 1) : undefined;
  const found = findRole(name, table);
  if (found === undefined) return takeCluster(arg, next, table, into);
  if (!found.role.endsWith("=")) {
    book(found, inline, into);
    return 0;
  }
  book(found, inline ?? next, into);
  return inline === undefined ? 1 : 0;
}

/** `-vq` is two switches, `-n4` and `-kslow` are a flag with its value. */
function takeCluster(arg: string, next: string | undefined, table: FlagTable, into: Collected): 0 | 1 {
  if (/^-[A-Za-z]./.test(arg)) {
    const found = [...arg.slice(1)].map((letter) => findRole(`-${letter}`, table));
    const valued = found.findIndex((each) => each?.role.endsWith("="));
    const switches = valued < 0 ? found : found.slice(0, valued);
    if (switches.every((each) => each !== undefined)) {
      for (const each of switches) if (each !== undefined) book(each, undefined, into);
      const last = found[valued];
      if (last === undefined) return 0;
      const glued = arg.slice(valued + 2);
      book(last, glued === "" ? next : glued, into);
      return glued === "" ? 1 : 0;
    }
  }
  into.config.push(arg);
  return 0;
}

interface FoundRole {
  readonly name: string;
  readonly role: FlagRole;
}

function findRole(name: string, table: FlagTable): FoundRole | undefined {
  const role = ownRole(name, table);
  if (role === undefined) return undefined;
  if (!role.startsWith("-")) return { name, role };
  const main = ownRole(role, table);
  return main === undefined || main.startsWith("-") ? undefined : { name: role, role: main };
}

function ownRole(name: string, table: FlagTable): FlagRole | undefined {
  if (Object.hasOwn(table, name)) return table[name];
  if (Object.hasOwn(commonFlags, name)) return commonFlags[name];
  // Go tools take one dash or two.
  return name.startsWith("--") && Object.hasOwn(table, name.slice(1)) ? table[name.slice(1)] : undefined;
}

function book({ name, role }: FoundRole, value: string | undefined, into: Collected): void {
  if (value === "false" && !role.endsWith("=")) return;
  into.flags.add(name);
  const text = value === undefined || value === "true" ? name : `${name} ${value}`;
  switch (role) {
    case "inert":
    case "inert=":
      into.inert = true;
      return;
    case "filter":
    case "filter=":
      into.filters.push(text);
      return;
    case "config":
    case "config=":
      into.config.push(configText(name, value, into.cwd));
      return;
    case "project":
    case "project=":
      into.project.push(value ?? name);
      return;
    case "file=":
      if (value !== undefined) into.files.push(resolveFile(into.cwd, value));
      return;
    case "folder=":
      if (value !== undefined) into.cwd = resolvePath(into.cwd, value);
      return;
    case "manifest=":
      if (value !== undefined) into.cwd = parentFolder(resolvePath(into.cwd, value));
      return;
    default:
  }
}

function configText(name: string, value: string | undefined, cwd: string): string {
  if (value === undefined || value === "true") return name;
  return `${name} ${looksLikePath(value) ? resolvePath(cwd, value) : value}`;
}

function takeOperand(role: OperandRole, text: string, into: Collected): void {
  if (role === "noise") return;
  if (role === "projects") into.project.push(text);
  else if (role === "files" || (role === "mixed" && looksLikePath(text))) into.files.push(resolveFile(into.cwd, text));
  else into.filters.push(text);
}

/** Only the path before `::` is a path: `tests/a.py::TestA::test_b`. */
function resolveFile(cwd: string, text: string): string {
  const colons = text.indexOf("::");
  return colons < 0 ? resolvePath(cwd, text) : resolvePath(cwd, text.slice(0, colons)) + text.slice(colons);
}
