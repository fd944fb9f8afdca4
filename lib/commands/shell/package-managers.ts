import type { Call } from "./call.ts";
import { callFromWords } from "./call.ts";
import { resolvePath } from "./paths.ts";

/** What a call of npm, pnpm, yarn or bun comes down to. */
export type PackageCall =
  | {
      readonly kind: "script";
      readonly name: string;
      readonly args: readonly string[];
      readonly call: Call;
      /** Where no script has the name, a program of the project is run. */
      readonly mayBeProgram: boolean;
    }
  | { readonly kind: "program"; readonly call: Call }
  | { readonly kind: "other" };

interface Manager {
  /** Flags that take a value. */
  readonly values: readonly string[];
  readonly folder: readonly string[];
  readonly project: readonly string[];
  /** Switches that select several members. */
  readonly many: readonly string[];
  /** Sub-commands that mean the script `test`. */
  readonly test: readonly string[];
  readonly run: readonly string[];
  readonly exec: readonly string[];
  /** An unknown sub-command is a script or, failing that, a program of the project. */
  readonly bare: boolean;
  readonly own: readonly string[];
}

/** Sub-commands of all managers that run neither a script nor a program. */
const housekeeping =
  "add audit cache ci config create dedupe deploy dlx fetch i import info init install link list login ls outdated pack patch pm prune publish rebuild remove rm root store unlink up update upgrade version view why".split(
    " ",
  );

/** Sources: `npm help run`, pnpm.io/cli, yarnpkg.com/cli, bun.sh/docs/cli. */
const managers: Readonly<Record<string, Manager>> = {
  npm: {
    values: ["--loglevel", "--script-shell"],
    folder: ["--prefix", "-C"],
    project: ["-w", "--workspace"],
    many: ["-ws", "--workspaces"],
    test: ["test", "t", "tst"],
    run: ["run", "run-script", "rum", "urn"],
    exec: ["exec", "x"],
    bare: false,
    own: [],
  },
  pnpm: {
    values: ["--loglevel", "--reporter", "--workspace-concurrency", "--stream"],
    folder: ["-C", "--dir", "--prefix"],
    project: ["-F", "--filter", "--filter-prod"],
    many: ["-r", "--recursive", "-w", "--workspace-root"],
    test: ["test", "t"],
    run: ["run", "run-script"],
    exec: ["exec"],
    bare: true,
    own: [],
  },
  yarn: {
    values: ["-j", "--jobs", "--include", "--exclude", "--from"],
    folder: ["--cwd"],
    project: ["--include", "--from"],
    many: ["-A", "--all", "-W", "-R", "--recursive"],
    test: ["test"],
    run: ["run"],
    exec: ["exec"],
    bare: true,
    own: [],
  },
  bun: {
    values: ["--config", "-c", "--preload", "-r"],
    folder: ["--cwd"],
    project: ["-F", "--filter"],
    many: ["--workspaces"],
    test: [],
    run: ["run"],
    exec: ["x"],
    bare: true,
    own: ["test", "build"],
  },
};

interface Head {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly project: readonly string[];
}

/** Undefined for a program that is no package manager. */
export function parsePackageCall(call: Call): PackageCall | undefined {
  const manager = Object.hasOwn(managers, call.program) ? managers[call.program] : undefined;
  if (manager === undefined) return undefined;
  const head = readHead(call.args, call.cwd, manager);
  const inside: Call = { ...call, cwd: head.cwd, project: [...call.project, ...head.project] };
  return readCommand(inside, head.words, manager);
}

/** Nobody selects more members by hand; each may be selected inside the one before. */
const mostMembers = 100;

function readCommand(call: Call, words: readonly string[], manager: Manager): PackageCall {
  const [command, ...rest] = words;
  if (
    command === undefined ||
    call.project.length > mostMembers ||
    (call.project.length === 0 && manager.own.includes(command))
  ) {
    return { kind: "other" };
  }
  if (call.program === "yarn" && command === "workspace") {
    const [member, ...inner] = rest;
    return readCommand({ ...call, project: [...call.project, member ?? ""] }, inner, manager);
  }
  if (call.program === "yarn" && command === "workspaces") return readForeach(call, rest, manager);
  if (manager.test.includes(command)) return script(call, "test", rest);
  if (manager.run.includes(command)) return readRun(call, rest, manager);
  if (manager.exec.includes(command)) return program(call, rest[0] === "--" ? rest.slice(1) : rest);
  if (!manager.bare || housekeeping.includes(command)) return { kind: "other" };
  return script(call, command, rest);
}

/** `run` may be followed by flags of the manager before the script's name. */
function readRun(call: Call, words: readonly string[], manager: Manager): PackageCall {
  const head = readHead(words, call.cwd, manager);
  const [name, ...args] = head.words;
  if (name === undefined) return { kind: "other" };
  return script({ ...call, cwd: head.cwd, project: [...call.project, ...head.project] }, name, args);
}

function readForeach(call: Call, words: readonly string[], manager: Manager): PackageCall {
  const head = readHead(words.slice(1), call.cwd, manager);
  return readCommand({ ...call, project: [...call.project, ...head.project, "foreach"] }, head.words, manager);
}

function readHead(args: readonly string[], from: string, manager: Manager): Head {
  const project: string[] = [];
  let cwd = from;
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (!arg.startsWith("-")) break;
    const [name, inline] = splitFlag(arg);
    const value = inline ?? args[at + 1] ?? "";
    if (manager.folder.includes(name)) cwd = resolvePath(cwd, value);
    else if (manager.project.includes(name)) project.push(value);
    else if (manager.many.includes(name)) project.push("every member");
    if (inline === undefined && takesValue(name, manager)) at++;
  }
  return { words: args.slice(at), cwd, project };
}

function takesValue(name: string, manager: Manager): boolean {
  return manager.folder.includes(name) || manager.project.includes(name) || manager.values.includes(name);
}

function splitFlag(arg: string): readonly [string, string?] {
  const equals = arg.indexOf("=");
  return equals < 0 ? [arg] : [arg.slice(0, equals), arg.slice(equals + 1)];
}

/** Member flags may also stand behind the script's name: `npm test -w web`. */
function script(call: Call, name: string, words: readonly string[]): PackageCall {
  const manager = managers[call.program];
  const args: string[] = [];
  const project: string[] = [...call.project];
  let { cwd } = call;
  for (let at = 0; at < words.length; at++) {
    const arg = words[at] ?? "";
    if (arg === "--" || manager === undefined || call.program !== "npm") {
      args.push(...words.slice(arg === "--" ? at + 1 : at));
      break;
    }
    const [flag, inline] = splitFlag(arg);
    const value = inline ?? words[at + 1] ?? "";
    if (manager.project.includes(flag)) project.push(value);
    else if (manager.folder.includes(flag)) cwd = resolvePath(cwd, value);
    else if (manager.many.includes(flag)) project.push("every member");
    else if (!/^(?:-s|--silent|--if-present)$/.test(flag)) args.push(arg);
    if (inline === undefined && takesValue(flag, manager)) at++;
  }
  return { kind: "script", name, args, call: { ...call, cwd, project }, mayBeProgram: manager?.bare === true };
}

function program(call: Call, words: readonly string[]): PackageCall {
  const inner = callFromWords(words, call);
  return inner === undefined ? { kind: "other" } : { kind: "program", call: inner };
}
