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
  let best: Wrapper | undefined;
  for (const wrapper of wrappers) {
    if (!wrapper.call.startsWith(call.program) || wrapper.call.length <= (best?.call.length ?? 0)) continue;
    const [program, ...words] = wrapper.call.split(" ");
    if (program === call.program && hasWords(call.args, words, wrapper)) best = wrapper;
  }
  return best;
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
