import type { AndOr, CompoundList, PipelineNode } from "unbash";
import type { Printed } from "./marks.ts";
import { readPrinted } from "./marks.ts";
import { readSimple } from "./simple.ts";
import type { Variables } from "./words.ts";

type Node = PipelineNode | AndOr | CompoundList;

const sureCommands: ReadonlySet<string> = new Set(
  ". : cat cd clear date echo export false head ls mkdir popd printf pushd pwd rm set sleep source tail tee touch true umask unset wait wc".split(
    " ",
  ),
);

const sureGit = /^(?:add|branch|diff|log|rev-parse|show|status)$/;

/** Hardly ever fails on its own, so that a failure of the chain is not put down to it. */
export function cannotFail(node: Node, variables: Variables): boolean {
  if (node.type === "Pipeline") {
    const last = node.commands.at(-1);
    return last !== undefined && cannotFail(last, variables);
  }
  if (node.type === "Redirected") return cannotFail(node.command, variables);
  if (node.type !== "Command") return false;
  const { words } = readSimple(node, variables);
  const [program = "", first = "", ...rest] = words;
  if (program === "git") return sureGit.test(first) && !rest.some((arg) => /^--(?:check|exit-code|quiet)$/.test(arg));
  return words.length === 0 || sureCommands.has(program);
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

/** A part that prints the status of what ran before it. */
export function statusEcho(node: Node, variables: Variables): Printed | undefined {
  return firstPrinted(node, variables);
}

function firstPrinted(node: Node, variables: Variables): Printed | undefined {
  switch (node.type) {
    case "Command": {
      const { words, view } = readSimple(node, variables);
      return view === "whole" ? readPrinted(words[0] ?? "", words.slice(1)) : undefined;
    }
    case "AndOr":
    case "Pipeline":
      return node.commands[0] === undefined ? undefined : firstPrinted(node.commands[0], variables);
    case "BraceGroup":
    case "Subshell":
      return firstPrinted(node.body, variables);
    case "CompoundList":
      return node.commands[0] === undefined ? undefined : firstPrinted(node.commands[0].command, variables);
    default:
      return undefined;
  }
}
