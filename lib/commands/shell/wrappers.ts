import type { Call } from "./call.ts";
import { callFromWords } from "./call.ts";
import { resolvePath } from "./paths.ts";
import { type Wrapper, wrappers } from "./wrapper-table.ts";

/** A command line for another shell, and where it runs. */
export interface ShellText {
  readonly kind: "shell";
  readonly script: string;
  readonly call: Call;
}

/** Takes one wrapper off; undefined when the call is no wrapper; "nothing" when the wrapper runs no command. */
export function unwrap(call: Call): Call | ShellText | "nothing" | undefined {
  const wrapper = findWrapper(call);
  return wrapper === undefined ? undefined : readWrapped(call, wrapper);
}

function findWrapper(call: Call): Wrapper | undefined {
  byProgram ??= indexWrappers();
  const known = byProgram.get(call.program);
  return known?.find(({ words, wrapper }) => hasWords(call.args, words, wrapper))?.wrapper;
}

interface KnownWrapper {
  readonly wrapper: Wrapper;
  /** The sub-commands behind the program. */
  readonly words: readonly string[];
}

let byProgram: ReadonlyMap<string, readonly KnownWrapper[]> | undefined;

/** The wrappers of each program, the longest call first. The index is made when it is first asked. */
function indexWrappers(): ReadonlyMap<string, readonly KnownWrapper[]> {
  const index = new Map<string, KnownWrapper[]>();
  for (const wrapper of wrappers.toSorted((a, b) => b.call.length - a.call.length)) {
    const [program = "", ...words] = wrapper.call.split(" ");
    const known = index.get(program);
    if (known === undefined) index.set(program, [{ wrapper, words }]);
    else known.push({ wrapper, words });
  }
  return index;
}

/** Flags may stand before a sub-command: `docker --context far exec`, `kubectl -n web exec`. */
function hasWords(args: readonly string[], words: readonly string[], wrapper: Wrapper): boolean {
  let at = 0;
  return words.every((word) => {
    while (/^-./.test(args[at] ?? "")) at += takesNext(args[at] ?? "", wrapper) ? 2 : 1;
    return args[at++] === word;
  });
}

function takesNext(flag: string, { values, folder, project }: Wrapper): boolean {
  return !flag.includes("=") && [values, folder, project].some((list) => has(list, flag));
}

function readWrapped(call: Call, wrapper: Wrapper): Call | ShellText | "nothing" {
  const dashes = wrapper.dashes === true ? call.args.indexOf("--") : -1;
  const skipped = skipOwn(call, wrapper);
  if (skipped.inert) return "nothing";
  const words = call.args.slice(dashes < 0 ? skipped.at : dashes + 1);
  const around = {
    ...call,
    cwd: skipped.cwd,
    project: skipped.project,
    env: [...call.env, ...skipped.env],
  };
  if (wrapper.text === true) return { kind: "shell", script: words.join(" "), call: around };
  return callFromWords(words, around) ?? "nothing";
}

interface Skipped {
  /** Where the inner command begins. */
  at: number;
  cwd: string;
  project: readonly string[];
  inert: boolean;
  readonly env: string[];
  /** Own words still to come. */
  operands: number;
}

/** Passes over the wrapper's own flags, assignments and operands. */
function skipOwn(call: Call, wrapper: Wrapper): Skipped {
  const { cwd, project } = call;
  const into: Skipped = { at: 0, cwd, project, inert: false, env: [], operands: wrapper.operands ?? 0 };
  let words = wrapper.call.split(" ").length - 1;
  const place = [wrapper.call];
  for (; into.at < call.args.length; into.at++) {
    const arg = call.args[into.at] ?? "";
    if (arg === "--" && words === 0 && into.operands === 0) {
      into.at++;
      break;
    }
    if (/^-./.test(arg)) skipFlag(arg, call.args[into.at + 1] ?? "", wrapper, into);
    else if (words > 0) words--;
    else if (isSetting(arg)) into.env.push(arg);
    else {
      if (into.operands === 0) break;
      into.operands--;
      place.push(arg);
    }
  }
  if (wrapper.elsewhere === true) into.project = [...into.project, place.join(" ")];
  return into;
}

/** `NAME=value`, and the `+toolchain` of rustup's proxies. */
function isSetting(arg: string): boolean {
  return /^\w+=|^\+\w/.test(arg);
}

function skipFlag(arg: string, next: string, wrapper: Wrapper, into: Skipped): void {
  const equals = arg.startsWith("--") ? arg.indexOf("=") : -1;
  const name = equals < 0 ? arg : arg.slice(0, equals);
  const value = equals < 0 ? next : arg.slice(equals + 1);
  if (has(wrapper.inert, name)) into.inert = true;
  if (has(wrapper.folder, name)) into.cwd = resolvePath(into.cwd, value);
  if (has(wrapper.project, name)) into.project = [...into.project, value];
  if (equals < 0 && takesNext(name, wrapper)) into.at++;
}

function has(list: string | undefined, flag: string): boolean {
  return list !== undefined && list.split(" ").includes(flag);
}
