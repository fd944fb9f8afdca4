import type { AndOr, CompoundList, PipelineNode, Statement } from "unbash";
import type { Printed } from "./marks.ts";
import { isPrinting, parsePrinted } from "./marks.ts";
import { viewAfterRedirects } from "./pipes.ts";
import { readProgram, readWords } from "./simple.ts";
import type { Variables } from "./words.ts";

type Node = PipelineNode | AndOr | CompoundList;

const sureCommands =
  /^(?:\.|:|cat|cd|clear|date|echo|export|false|head|ls|mkdir|popd|printf|pushd|pwd|rm|set|sleep|source|tail|tee|touch|true|umask|unset|wait|wc)$/;

const sureGit = /^(?:add|branch|diff|log|rev-parse|show|status)$/;

/** Hardly ever fails on its own, so that a failure of the chain is not put down to it. */
export function cannotFail(node: Node, variables: Variables): boolean {
  if (node.type === "Pipeline") {
    const last = node.commands.at(-1);
    return last !== undefined && cannotFail(last, variables);
  }
  if (node.type === "Redirected") return cannotFail(node.command, variables);
  if (node.type !== "Command") return false;
  const program = readProgram(node, variables);
  if (program !== "git") return program === undefined || sureCommands.test(program);
  const [, first = "", ...rest] = readWords(node, variables);
  return sureGit.test(first) && !rest.some((arg) => /^--(?:check|exit-code|quiet)$/.test(arg));
}

/** The right side of `||` that keeps the failure: `exit 1`, `false`, `return 1`, or a group that ends in one. */
export function endsInFailure(node: Node | undefined): boolean {
  if (node === undefined) return false;
  if (node.type === "BraceGroup" || node.type === "Subshell") return endsInFailure(node.body);
  if (node.type === "CompoundList") return endsInFailure(node.commands.at(-1)?.command);
  if (node.type !== "Command") return false;
  const program = node.name?.value;
  const status = node.args[0]?.text;
  return program === "false" || ((program === "exit" || program === "return") && status !== "0");
}

/** The first literal text that a part prints before it does anything else of note. */
export function findEcho(node: Node, variables: Variables): string | undefined {
  return firstPrinted(node, variables)?.text;
}

/**
 * What a list prints about the status of one of its statements: right behind it (`check; echo "exit=$?"`), or later through a
 * variable (`check; rc=$?; tail log; echo "exit=$rc"`).
 */
export function findStatusEcho(
  statements: readonly Statement[],
  at: number,
  variables: Variables,
): Printed | undefined {
  const next = statements[at + 1]?.command;
  if (next === undefined) return undefined;
  const saved = findSavedStatus(next);
  if (saved === undefined) return firstPrinted(next, variables);
  const known = new Map([...variables, saved]);
  return statements
    .slice(at + 2, at + 2 + mostBetween)
    .map((statement) => firstPrinted(statement.command, known))
    .find((printed) => printed?.beforeStatus !== undefined || printed?.beforePipeStatus !== undefined);
}

/** A saved status is printed soon. */
const mostBetween = 20;

/** `rc=$?` as a name and a value. */
function findSavedStatus(node: Node): readonly [string, string] | undefined {
  if (node.type !== "Command" || node.name !== undefined) return undefined;
  const [assignment] = node.prefix;
  const value = assignment?.type === "Assignment" && assignment.value.type === "Word" ? assignment.value.text : "";
  if (assignment?.type !== "Assignment" || !/^"?\$(?:\?|\{PIPESTATUS\[0\]\})"?$/.test(value)) return undefined;
  return [assignment.name, value.replaceAll('"', "")];
}

function firstPrinted(node: Node, variables: Variables): Printed | undefined {
  if (node.type === "Command") {
    if (!isPrinting(readProgram(node, variables))) return undefined;
    const isSeen = viewAfterRedirects(node.redirects) === "whole";
    return isSeen ? parsePrinted(readWords(node, variables).slice(1)) : undefined;
  }
  const first = firstPart(node);
  return first === undefined ? undefined : firstPrinted(first, variables);
}

function firstPart(node: Node): Node | undefined {
  if (node.type === "AndOr" || node.type === "Pipeline") return node.commands[0];
  if (node.type === "BraceGroup" || node.type === "Subshell") return node.body;
  return node.type === "CompoundList" ? node.commands[0]?.command : undefined;
}
