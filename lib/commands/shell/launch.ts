import type { Call } from "./call.ts";
import { callFromWords } from "./call.ts";
import { type ShellText, unwrap } from "./wrappers.ts";
import { parsePackageCall } from "./package-managers.ts";

/** What is really started once wrappers are off: a program, a text for another shell, or nothing. */
export type Launch = { readonly kind: "program"; readonly call: Call } | ShellText | { readonly kind: "nothing" };

const shells = /^(?:ba|z|da|k|a)?sh$/;
const deepest = 20;

/** Takes wrappers off until a program, a shell text or nothing is left. */
export function findLaunch(first: Call): Launch {
  let call = first;
  for (let depth = 0; depth < deepest; depth++) {
    const inner = shellText(call) ?? step(call);
    if (inner === undefined) return { kind: "program", call };
    if (inner === "nothing") return { kind: "nothing" };
    if ("kind" in inner) return inner;
    call = inner;
  }
  return { kind: "nothing" };
}

function step(call: Call): Call | ShellText | "nothing" | undefined {
  if (call.program === "python") return pythonModule(call) ?? runScript(call);
  const installed = installedProgram(call);
  if (installed !== undefined) return installed;
  const packaged = parsePackageCall(call);
  if (packaged?.kind === "program") return packaged.call;
  return unwrap(call) ?? runScript(call);
}

/** `bash -c TEXT`, `bash -lc TEXT`, a here-document for a shell, `eval TEXT`, `npx -c TEXT`, `nix-shell --run TEXT`. */
function shellText(call: Call): ShellText | undefined {
  const { args, program } = call;
  if (program === "eval") return { kind: "shell", script: args.join(" "), call };
  if (/^(?:npx|nix-shell|su|pwsh|powershell)$/.test(program)) {
    const at = args.findIndex((arg) => /^(?:-c|-Command|--call|--run|--command)$/.test(arg));
    return at < 0 || hasOperand(args.slice(0, at)) ? undefined : { kind: "shell", script: args[at + 1] ?? "", call };
  }
  if (!shells.test(program)) return undefined;
  const at = args.findIndex((arg) => /^-[a-zA-Z]*c$/.test(arg));
  if (at >= 0 && !hasOperand(args.slice(0, at))) return { kind: "shell", script: args[at + 1] ?? "", call };
  const reads = args.every((arg) => arg.startsWith("-") && arg !== "-n");
  return reads && call.input !== undefined ? { kind: "shell", script: call.input, call } : undefined;
}

function hasOperand(args: readonly string[]): boolean {
  return args.some((arg) => !/^[-+]/.test(arg));
}

/** `python -m pytest -q` is `pytest -q`; options of the interpreter itself are passed over. */
function pythonModule(call: Call): Call | undefined {
  for (let at = 0; at < call.args.length; at++) {
    const arg = call.args[at] ?? "";
    if (arg === "-m") return moduleCall(call, call.args.slice(at + 1));
    if (/^-m./.test(arg)) return moduleCall(call, [arg.slice(2), ...call.args.slice(at + 1)]);
    if (!arg.startsWith("-") || arg === "-c") return undefined;
    if (arg === "-W" || arg === "-X") at++;
  }
  return undefined;
}

/** The path says that it is a module: `python -m test` is not the shell's `test`. */
function moduleCall(call: Call, words: readonly string[]): Call | undefined {
  const inner = callFromWords(words, call);
  return inner === undefined ? undefined : { ...inner, path: `-m ${inner.path}` };
}

/** `node node_modules/jest/bin/jest.js` and `node --inspect node_modules/.bin/tsc` are `jest` and `tsc`. */
function installedProgram(call: Call): Call | undefined {
  if (call.program !== "node" && call.program !== "bun" && call.program !== "tsx") return undefined;
  const at = call.args.findIndex((arg) => !arg.startsWith("-"));
  const name = /(?:^|\/)node_modules\/(?:\.bin\/)?((?:@[\w.-]+\/)?[\w.-]+)/.exec(call.args[at] ?? "")?.[1];
  return name === undefined ? undefined : callFromWords([name, ...call.args.slice(at + 1)], call);
}

/** Interpreters, and their flags that take a value. */
const interpreters: Readonly<Record<string, readonly string[]>> = {
  ash: ["-o"],
  bash: ["-o", "-O", "--rcfile"],
  bun: ["-r", "--preload", "--config"],
  dash: ["-o"],
  deno: [],
  ksh: ["-o"],
  node: ["-r", "--require", "--import", "--loader", "--experimental-loader", "--env-file", "-C", "--conditions"],
  perl: ["-I"],
  php: ["-d", "-c"],
  python: ["-W", "-X"],
  ruby: ["-I", "-r"],
  sh: ["-o"],
  "ts-node": ["-P", "--project", "-r", "-O"],
  tsx: ["--tsconfig", "--import", "-r", "--env-file"],
  zsh: ["-o"],
};

/** Flags with which an interpreter runs no script file, or does something else with it. */
const scriptless = /^(?:-[cenlpm]|-[a-z]*c|--test.*|--check|--eval|--print|--watch.*|--version|--help|-h|-V)$/;

/** `python3 scripts/check.py --fast` is a call of the script itself; so is `python3 - < scripts/check.py`. */
function runScript(call: Call): Call | undefined {
  const valued = Object.hasOwn(interpreters, call.program) ? interpreters[call.program] : undefined;
  if (valued === undefined) return undefined;
  let at = call.program === "deno" || call.program === "bun" ? Number(call.args[0] === "run") : 0;
  for (; at < call.args.length; at++) {
    const arg = call.args[at] ?? "";
    if (scriptless.test(arg)) return undefined;
    if (arg === "-" || !/^[-+]/.test(arg)) break;
    if (valued.includes(arg)) at++;
  }
  const [script, ...args] = call.args.slice(at);
  if (script === undefined || script === "-") {
    return call.inputFile === undefined ? undefined : callFromWords([call.inputFile, ...args], call);
  }
  return mayBeFile(script, call.program) ? callFromWords([script, ...args], call) : undefined;
}

/** `bun test` and `deno lint` name no file, `bash check` does. */
function mayBeFile(word: string, program: string): boolean {
  return shells.test(program) || program === "php" || /[./]/.test(word);
}
