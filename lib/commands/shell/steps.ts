import type { AndOr, Command, CommandNode, CompoundList, If, Pipeline, PipelineNode, Statement } from "unbash";
import { parse } from "unbash";
import type { Marks, OutputView } from "../check.ts";
import { callFromWords, type Call } from "./call.ts";
import { cannotFail, endsInFailure, findEcho, statusEcho } from "./effects.ts";
import { findLaunch } from "./launch.ts";
import { resolvePath } from "./paths.ts";
import { narrower, viewAfterRedirects, viewThrough } from "./pipes.ts";
import { readSimple } from "./simple.ts";

/** One program the line starts, with what the line does to its status and output. */
export interface Step {
  readonly call: Call;
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
interface Place {
  readonly owns: boolean;
  readonly fails: boolean;
  /** The part's status is the status of the `&&` element around it. */
  readonly local: boolean;
  readonly view: OutputView;
  readonly chain: number;
  /** The text before a status that the line prints for this part. */
  readonly status?: string;
}

type DraftMarks = { -readonly [Name in keyof Marks]: Marks[Name] };

interface Draft extends Step {
  readonly local: boolean;
  readonly marks: DraftMarks;
}

interface Walk {
  cwd: string;
  readonly folders: string[];
  project: readonly string[];
  readonly variables: Map<string, string>;
  readonly functions: Map<string, CommandNode | CompoundList>;
  errexit: boolean;
  pipefail: boolean;
  chains: number;
  heading: string | undefined;
  depth: number;
  readonly drafts: Draft[];
}

const deepest = 12;
const mostSteps = 500;

/**
 * Every program a shell line starts, in order. Text that is only written or printed (here-documents, `echo`) is no
 * program; text that another shell runs (`bash -c`, a here-document for `bash`) is. Total: broken syntax gives what could
 * be read.
 */
export function findSteps(source: string, cwd: string): readonly Step[] {
  const walk: Walk = {
    cwd: resolvePath("", cwd),
    folders: [],
    project: [],
    variables: new Map(),
    functions: new Map(),
    errexit: false,
    pipefail: false,
    chains: 0,
    heading: undefined,
    depth: 0,
    drafts: [],
  };
  visitSource(source, { owns: true, fails: true, local: true, view: "whole", chain: 0 }, walk);
  return walk.drafts;
}

function visitSource(source: string, place: Place, walk: Walk): void {
  if (walk.depth >= deepest) return;
  walk.depth++;
  const statements: Statement[] = [];
  for (let rest = source; ;) {
    const script = parse(rest);
    statements.push(...script.commands);
    const error = script.errors?.find((each) => each.pos >= (script.commands.at(-1)?.end ?? 0));
    if (error === undefined) break;
    const next = rest.slice(error.pos).replace(/^(?:;;|[;&|)}]+|\S+)/, "");
    if (next.length >= rest.length || next.trim() === "") break;
    rest = next;
  }
  visitStatements(statements, place, walk);
  walk.depth--;
}

function visitStatements(statements: readonly Statement[], place: Place, walk: Walk): void {
  statements.forEach((statement, index) => {
    const next = statements[index + 1];
    const printed = next === undefined ? undefined : statusEcho(next.command, walk.variables);
    const last = next === undefined;
    const keeps = last || walk.errexit;
    const background = statement.background === true;
    const chain = statements.length === 1 ? place.chain : ++walk.chains;
    const inner: Place = {
      ...place,
      chain,
      owns: place.owns && last && !background,
      fails: place.fails && keeps && !background,
      local: place.local && keeps && !background,
    };
    const firstNew = walk.drafts.length;
    if (printed?.beforeStatus !== undefined) {
      visit(statement.command, { ...inner, owns: true, fails: true, status: printed.beforeStatus }, walk);
    } else visit(statement.command, inner, walk);
    if (printed?.beforePipeStatus !== undefined) markPipeStatus(statement, firstNew, printed.beforePipeStatus, walk);
  });
}

/** `echo ${PIPESTATUS[0]}` shows the status of the first program of the last pipe. */
function markPipeStatus(statement: Statement, from: number, text: string, walk: Walk): void {
  const { command } = statement;
  const pipe = command.type === "AndOr" ? command.commands.at(-1) : command;
  if (pipe?.type !== "Pipeline") return;
  const at = walk.drafts.findIndex((draft, index) => index >= from && draft.marks.status === undefined && !draft.local);
  const draft = walk.drafts[at];
  if (draft === undefined) return;
  walk.drafts[at] = { ...draft, ownsStatus: true, failsLine: true, marks: { ...draft.marks, status: text } };
}

function visit(node: PipelineNode | AndOr | CompoundList, place: Place, walk: Walk): void {
  switch (node.type) {
    case "AndOr":
      visitAndOr(node, place, walk);
      return;
    case "Pipeline":
      visitPipeline(node, place, walk);
      return;
    case "Command":
      visitCommand(node, place, walk);
      return;
    case "Redirected":
      visit(node.command, { ...place, view: narrower(place.view, viewAfterRedirects(node.redirects)) }, walk);
      return;
    case "CompoundList":
      visitStatements(node.commands, place, walk);
      return;
    case "BraceGroup":
      visit(node.body, place, walk);
      return;
    case "Subshell":
      inSubshell(walk, () => visit(node.body, place, walk));
      return;
    case "If":
      visitIf(node, place, walk);
      return;
    case "Case":
      for (const item of node.items) visit(item.body, maybe(place), walk);
      return;
    case "Function":
      walk.functions.set(node.name.value, node.body);
      return;
    case "Coproc":
      visit(node.body, maybe(place), walk);
      return;
    default:
      visitLoop(node, place, walk);
  }
}

/** A part that may not run, or runs more than once: its status is not the line's. */
function maybe(place: Place): Place {
  return { ...place, owns: false, fails: false, local: false };
}

function visitLoop(node: CommandNode, place: Place, walk: Walk): void {
  if (node.type === "While") visit(node.clause, maybe(place), walk);
  if (node.type === "While" || node.type === "For" || node.type === "ArithmeticFor" || node.type === "Select") {
    visit(node.body, maybe(place), walk);
  }
}

function visitIf(node: If, place: Place, walk: Walk): void {
  const from = walk.drafts.length;
  visit(node.clause, { ...maybe(place), local: true, chain: ++walk.chains }, walk);
  const passed = findEcho(node.then, walk.variables);
  const failed = node.else === undefined ? undefined : findEcho(node.else, walk.variables);
  for (const draft of walk.drafts.slice(from)) {
    if (!draft.local) continue;
    if (passed !== undefined) draft.marks.passed ??= passed;
    if (failed !== undefined) draft.marks.failed ??= failed;
  }
  visit(node.then, maybe(place), walk);
  for (const elif of node.elif) {
    visit(elif.clause, maybe(place), walk);
    visit(elif.then, maybe(place), walk);
  }
  if (node.else !== undefined) visit(node.else, maybe(place), walk);
}

function visitAndOr(node: AndOr, place: Place, walk: Walk): void {
  let { chain } = place;
  let from = walk.drafts.length;
  let fallible = false;
  node.commands.forEach((command, index) => {
    const before = node.operators[index - 1];
    const rest = node.operators.slice(index);
    if (before === "||") chain = ++walk.chains;
    if (before !== undefined) markOutcome(command, before, walk.drafts.slice(from), walk);
    if (before === "||") from = walk.drafts.length;
    const later = node.commands.slice(index + 1);
    const kept = later.every((each, at) => rest[at] === "&&" || endsInFailure(each));
    const sure = later.every((each, at) => rest[at] === "||" || cannotFail(each, walk.variables));
    visit(
      command,
      {
        ...place,
        chain,
        local: true,
        owns: place.owns && before !== "||" && !fallible && kept && sure,
        fails: place.fails && before !== "||" && kept,
      },
      walk,
    );
    fallible ||= !cannotFail(command, walk.variables);
  });
}

/** `check && echo clean` and `check || echo broken` tell how the check ended. */
function markOutcome(command: PipelineNode, operator: "&&" | "||", drafts: readonly Draft[], walk: Walk): void {
  const text = findEcho(command, walk.variables);
  if (text === undefined) return;
  for (const draft of drafts) {
    if (!draft.local) continue;
    if (operator === "&&") draft.marks.passed ??= text;
    else draft.marks.failed ??= text;
  }
}

function visitPipeline(node: Pipeline, place: Place, walk: Walk): void {
  const negated = node.prefixes.some((prefix) => prefix.type === "Negation");
  const around = negated ? maybe(place) : place;
  const last = node.commands.length - 1;
  node.commands.forEach((command, index) => {
    let { view } = around;
    for (const filter of node.commands.slice(index + 1)) {
      view = narrower(view, filter.type === "Command" ? viewThrough(filter) : "searched");
    }
    const flows = index === last || walk.pipefail;
    const inner: Place = flows ? { ...around, view } : { ...maybe(around), view, chain: ++walk.chains };
    if (last === 0) visit(command, inner, walk);
    else inSubshell(walk, () => visit(command, inner, walk));
  });
}

function inSubshell(walk: Walk, body: () => void): void {
  const { cwd, project } = walk;
  body();
  walk.cwd = cwd;
  walk.project = project;
}

function visitCommand(node: Command, place: Place, walk: Walk): void {
  if (walk.drafts.length >= mostSteps) return;
  const simple = readSimple(node, walk.variables);
  const bare = simple.words.length === 0;
  for (const script of simple.substitutions) {
    const inner: Place = {
      ...(bare ? place : maybe(place)),
      view: narrower(place.view, "searched"),
      chain: ++walk.chains,
    };
    inSubshell(walk, () => visitStatements(script.commands, inner, walk));
  }
  const [program = "", ...args] = simple.words;
  if (bare || program === "export" || program === "declare" || program === "local" || program === "readonly") {
    for (const [name, value] of simple.assignments) walk.variables.set(name, value);
    return;
  }
  if (changeShell(program, args, node, walk)) return;
  const body = walk.functions.get(program);
  if (body !== undefined) {
    if (walk.depth < deepest) nested(walk, () => visit(body, place, walk));
    return;
  }
  const around = {
    cwd: walk.cwd,
    project: walk.project,
    ...(simple.input === undefined ? {} : { input: simple.input }),
  };
  const call = callFromWords(simple.words, around);
  if (call !== undefined) visitCall(call, { ...place, view: narrower(place.view, simple.view) }, walk);
}

function nested(walk: Walk, body: () => void): void {
  walk.depth++;
  body();
  walk.depth--;
}

function visitCall(call: Call, place: Place, walk: Walk): void {
  const launch = findLaunch(call);
  if (launch.kind === "nothing") return;
  if (launch.kind === "program") {
    walk.drafts.push(draftOf(launch.call, place, walk));
    return;
  }
  const { errexit, pipefail } = walk;
  inSubshell(walk, () => {
    walk.cwd = launch.call.cwd;
    walk.project = launch.call.project;
    visitSource(launch.script, place, walk);
  });
  walk.errexit = errexit;
  walk.pipefail = pipefail;
}

function draftOf(call: Call, place: Place, walk: Walk): Draft {
  const { owns, fails, local, view, chain, status } = place;
  const marks: DraftMarks = {};
  if (walk.heading !== undefined) marks.heading = walk.heading;
  if (status !== undefined) marks.status = status;
  return { call, ownsStatus: owns, failsLine: fails, local, chain: local ? chain : ++walk.chains, view, marks };
}

/** Commands that change the shell itself; true when this was one. */
function changeShell(program: string, args: readonly string[], node: Command, walk: Walk): boolean {
  switch (program) {
    case "cd":
    case "pushd": {
      const folder = args.find((arg) => !/^-./.test(arg)) ?? "~";
      walk.folders.push(walk.cwd);
      walk.cwd = folder === "-" ? (walk.folders.at(-2) ?? walk.cwd) : resolvePath(walk.cwd, folder);
      return true;
    }
    case "popd":
      walk.cwd = walk.folders.pop() ?? walk.cwd;
      return true;
    case "set": {
      const text = args.join(" ");
      if (/(?:^| )-[a-z]*e/.test(text)) walk.errexit = true;
      if (/\bpipefail\b/.test(text)) walk.pipefail = true;
      return true;
    }
    case "echo":
    case "printf": {
      const text = findEcho(node, walk.variables);
      if (text !== undefined) endSection(text, walk);
      return true;
    }
    default:
      return false;
  }
}

function endSection(text: string, walk: Walk): void {
  for (const draft of walk.drafts) draft.marks.nextHeading ??= text;
  walk.heading = text;
}
