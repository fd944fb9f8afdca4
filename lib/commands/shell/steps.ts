import type { AndOr, Command, CommandNode, CompoundList, If, Pipeline, PipelineNode, Statement } from "unbash";
import { parse } from "unbash";
import type { OutputView } from "../check.ts";
import { callFromWords, type Call } from "./call.ts";
import { cannotFail, endsInFailure, findEcho, findStatusEcho } from "./effects.ts";
import { findLaunch } from "./launch.ts";
import { findCount, isSearching, narrower, seeksFailures, viewAfterRedirects, viewThrough } from "./pipes.ts";
import { parseSimple, type SimpleCommand } from "./simple.ts";
import {
  addStep,
  changeShell,
  exportVariables,
  inSubshell,
  markOutcome,
  markPipeStatus,
  maybe,
  setVariable,
  startWalk,
  withArguments,
  withoutNames,
} from "./walk.ts";
import type { Place, Step, Walk } from "./walk.ts";
import { isLiteral, wordText } from "./words.ts";

const deepest = 12;
const mostSteps = 500;
const mostRestarts = 20;
/** How many characters are read again in all, behind tokens that stopped the parser. */
const mostReread = 1024 * 1024;

/**
 * Every program a shell line starts, in order. Text that is only written or printed (here-documents, `echo`) starts none;
 * text that another shell runs (`bash -c`, a here-document for `bash`) does. Total: broken syntax gives what could be read.
 */
export function findSteps(source: string, cwd: string): readonly Step[] {
  const walk = startWalk(cwd);
  visitSource(source, { owns: true, fails: true, local: true, view: "whole", chain: 0 }, walk);
  return walk.drafts;
}

function visitSource(source: string, place: Place, walk: Walk): void {
  goDeeper(walk, () => visitStatements(parseAll(source), place, walk));
}

function goDeeper(walk: Walk, read: () => void): void {
  if (walk.depth >= deepest) return;
  walk.depth++;
  read();
  walk.depth--;
}

/** The parser stops at a token that cannot stand where it is; what follows it is read as well. */
function parseAll(source: string): readonly Statement[] {
  const statements: Statement[] = [];
  let rest = source;
  let left = mostReread;
  for (let round = 0; round < mostRestarts && rest.trim() !== ""; round++) {
    const script = parse(rest);
    statements.push(...script.commands);
    const end = script.commands.at(-1)?.end ?? 0;
    const error = script.errors?.find((each) => each.pos >= end);
    if (error === undefined) break;
    rest = rest.slice(error.pos).replace(/^(?:[;&|)}]+|\S+|\s+)/, "");
    left -= rest.length;
    if (left < 0) break;
  }
  return statements;
}

function visitStatements(statements: readonly Statement[], place: Place, walk: Walk): void {
  statements.forEach((statement, index) => {
    const last = index === statements.length - 1;
    const shown = findStatusEcho(statements, index, walk.variables);
    const flows = (last || walk.errexit) && statement.background !== true;
    const inner: Place = {
      ...place,
      chain: statements.length === 1 ? place.chain : ++walk.chains,
      owns: place.owns && last && statement.background !== true,
      fails: place.fails && flows,
      local: place.local && flows,
    };
    const from = walk.drafts.length;
    if (shown?.beforeStatus === undefined) visit(statement.command, inner, walk);
    else visit(statement.command, { ...inner, owns: true, fails: true, status: shown.beforeStatus }, walk);
    if (shown?.beforePipeStatus !== undefined) markPipeStatus(shown.beforePipeStatus, from, walk);
  });
}

function visit(node: PipelineNode | AndOr | CompoundList, place: Place, walk: Walk): void {
  if (walk.left <= 0) return;
  if (node.type === "Command") visitCommand(node, place, walk);
  else if (node.type === "Pipeline") visitPipeline(node, place, walk);
  else if (node.type === "AndOr") visitAndOr(node, place, walk);
  else if (node.type === "CompoundList") visitStatements(node.commands, place, walk);
  else visitCompound(node, place, walk);
}

function visitCompound(node: Exclude<CommandNode, Command>, place: Place, walk: Walk): void {
  if (node.type === "Redirected") {
    visit(node.command, { ...place, view: narrower(place.view, viewAfterRedirects(node.redirects)) }, walk);
  } else if (node.type === "Subshell") inSubshell(walk, () => visit(node.body, place, walk));
  else if (node.type === "BraceGroup") visit(node.body, place, walk);
  else if (node.type === "If") visitIf(node, place, walk);
  else if (node.type === "Function") walk.functions.set(node.name.value, node.body);
  else visitRepeated(node, maybe(place), walk);
}

/** Parts that run once, several times or not at all. */
function visitRepeated(node: CommandNode, place: Place, walk: Walk): void {
  if (node.type === "Case") for (const item of node.items) visit(item.body, place, walk);
  if (node.type === "While") visit(node.clause, place, walk);
  if (node.type === "For") {
    const words = node.wordlist?.map((word) => wordText(word, walk.variables)) ?? [];
    if (words.length > 0 && words.every(isLiteral)) setVariable(node.name.value, words.join(" "), walk);
  }
  if ("body" in node && node.type !== "ArithmeticCommand") visit(node.body, place, walk);
}

function visitIf(node: If, place: Place, walk: Walk): void {
  const from = walk.drafts.length;
  visit(node.clause, { ...maybe(place), local: true, chain: ++walk.chains }, walk);
  const asked = walk.drafts.slice(from);
  markOutcome("passed", findEcho(node.then, walk.variables), asked);
  if (node.else !== undefined) markOutcome("failed", findEcho(node.else, walk.variables), asked);
  visit(node.then, maybe(place), walk);
  for (const elif of node.elif) {
    visit(elif.clause, maybe(place), walk);
    visit(elif.then, maybe(place), walk);
  }
  if (node.else !== undefined) visit(node.else, maybe(place), walk);
}

function visitAndOr(node: AndOr, place: Place, walk: Walk): void {
  const tails = readTails(node, walk);
  let { chain } = place;
  let from = walk.drafts.length;
  let fallible = false;
  node.commands.forEach((command, index) => {
    const before = node.operators[index - 1];
    if (before !== undefined) {
      const text = findEcho(command, walk.variables);
      markOutcome(before === "&&" ? "passed" : "failed", text, walk.drafts.slice(from));
    }
    if (before === "||") {
      chain = ++walk.chains;
      from = walk.drafts.length;
    }
    const tail = tails[index];
    const fails = place.fails && before !== "||" && tail?.keepsFailure === true;
    const owns = place.owns && fails && !fallible && tail.cannotFail;
    visit(command, { ...place, chain, local: true, owns, fails }, walk);
    fallible ||= !cannotFail(command, walk.variables);
  });
}

/** What the commands behind each one of a list do to its failure. */
interface Tail {
  readonly keepsFailure: boolean;
  readonly cannotFail: boolean;
}

function readTails(node: AndOr, walk: Walk): readonly Tail[] {
  const tails: Tail[] = [];
  let tail: Tail = { keepsFailure: true, cannotFail: true };
  for (let at = node.commands.length - 1; at >= 0; at--) {
    tails.push(tail);
    const command = node.commands[at];
    if (command === undefined) continue;
    const isFallback = node.operators[at - 1] === "||";
    tail = {
      keepsFailure: tail.keepsFailure && (!isFallback || endsInFailure(command)),
      cannotFail: tail.cannotFail && (isFallback || cannotFail(command, walk.variables)),
    };
  }
  return tails.reverse();
}

function visitPipeline(node: Pipeline, place: Place, walk: Walk): void {
  const around = node.prefixes.some((prefix) => prefix.type === "Negation") ? maybe(place) : place;
  const [first, ...filters] = node.commands;
  if (first === undefined) return;
  if (filters.length === 0) {
    visit(first, around, walk);
    return;
  }
  const views: OutputView[] = [around.view];
  for (const filter of filters.toReversed()) {
    views.push(narrower(views.at(-1) ?? around.view, viewThrough(filter)));
  }
  const lastSearch = filters.findLastIndex(isSearching) + 1;
  node.commands.forEach((command, index) => {
    const seen: Place = { ...around, view: views[filters.length - index] ?? around.view };
    const piped = index === 0 ? { ...seen, ...readFilters(filters) } : seen;
    // A search that finds nothing fails, and with `pipefail` the line does.
    const owns = piped.owns && index >= lastSearch;
    const inner: Place = index === filters.length || walk.pipefail ? { ...piped, owns } : maybe(piped);
    inSubshell(walk, () => visit(command, inner, walk));
  });
}

/** What the parts behind the first one of a pipe show of its output. */
function readFilters(filters: readonly CommandNode[]): Pick<Place, "counts" | "seeksFailures"> {
  const counts = filters.map(findCount).find((each) => each !== undefined);
  return {
    ...(counts === undefined ? {} : { counts }),
    ...(filters.some(seeksFailures) ? { seeksFailures: true } : {}),
  };
}

function visitCommand(node: Command, place: Place, walk: Walk): void {
  if (walk.drafts.length >= mostSteps) return;
  const simple = parseSimple(node, walk.variables);
  const { words, assignments, substitutions, view } = simple;
  const program = words[0] ?? "";
  walk.left -= words.reduce((sum, word) => sum + word.length, 1);
  for (const script of substitutions) {
    const inner = { ...(words.length === 0 ? place : maybe(place)), view: narrower(place.view, "searched") };
    inSubshell(walk, () => goDeeper(walk, () => visitStatements(script.commands, inner, walk)));
  }
  if (words.length === 0 || /^(?:export|declare|local|readonly|typeset)$/.test(program)) {
    for (const [name, value] of assignments) setVariable(name, value, walk);
    if (program === "export") exportVariables(assignments, walk);
    return;
  }
  if (changeShell(words, node, walk)) return;
  const body = walk.functions.get(program);
  if (body !== undefined) {
    callFunction(words, body, place, walk);
    return;
  }
  const call = callFromWords(words, {
    cwd: walk.cwd,
    project: walk.project,
    env: getEnv(assignments, walk),
    input: simple.input,
    inputFile: simple.inputFile,
  });
  // Where the errors go elsewhere, that no line was counted tells nothing.
  const counted: Place = place.counts === undefined || view === "whole" ? place : { ...place, counts: "matches" };
  const seen = view === "whole" ? counted : { ...counted, view: narrower(place.view, view) };
  if (call !== undefined) visitCall(call, seen, walk);
}

/** What it is given in front, and what was exported before. */
function getEnv(assignments: SimpleCommand["assignments"], walk: Walk): readonly string[] {
  const own = assignments.map(([name, value]) => `${name}=${value}`);
  return [...withoutNames(walk.exports, own), ...own];
}

/** A function that calls itself is read once. */
function callFunction(
  [name = "", ...args]: readonly string[],
  body: CommandNode | CompoundList,
  place: Place,
  walk: Walk,
): void {
  walk.functions.delete(name);
  withArguments(args, walk, () => visit(body, place, walk));
  walk.functions.set(name, body);
}

function visitCall(call: Call, place: Place, walk: Walk): void {
  const launch = findLaunch(call);
  if (launch.kind === "program") addStep(launch.call, call, place, walk);
  if (launch.kind !== "shell") return;
  inSubshell(walk, () => {
    walk.cwd = launch.call.cwd;
    walk.project = launch.call.project;
    visitSource(launch.script, place, walk);
  });
}
