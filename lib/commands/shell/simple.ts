import type { Command, CommandArgument, ParsedScript, Redirection, Word, WordPart } from "unbash";
import type { OutputView } from "../check.ts";
import { viewAfterRedirects } from "./pipes.ts";
import type { Variables } from "./words.ts";
import { expandWord, wordText } from "./words.ts";

/** A simple command with its words expanded as far as the line tells. */
export interface SimpleCommand {
  /** The program and its arguments; empty for a bare assignment. */
  readonly words: readonly string[];
  /** `NAME=value` in front, or alone. */
  readonly assignments: readonly (readonly [string, string])[];
  /** The text of a here-document or here-string. */
  readonly input?: string;
  /** The file behind `<`. */
  readonly inputFile?: string;
  readonly view: OutputView;
  /** Commands inside `$(...)`, backquotes and `<(...)`. */
  readonly substitutions: readonly ParsedScript[];
}

export function parseSimple(command: Command, variables: Variables): SimpleCommand {
  const input = command.redirects.map((each) => inputText(each, variables)).find((text) => text !== undefined);
  const inputFile = command.redirects.map((each) => inputFileOf(each, variables)).find((path) => path !== undefined);
  const name = command.name === undefined ? [] : expandWord(command.name, variables);
  return {
    words: [...name, ...command.args.flatMap((arg) => argumentTexts(arg, variables))],
    assignments: readAssignments(command, variables),
    view: viewAfterRedirects(command.redirects),
    substitutions: wordsOf(command).flatMap(substitutionsIn),
    ...(input === undefined ? {} : { input }),
    ...(inputFile === undefined ? {} : { inputFile }),
  };
}

function argumentTexts(arg: CommandArgument, variables: Variables): readonly string[] {
  if (arg.type === "Word") return expandWord(arg, variables);
  return [arg.value.type === "Word" ? `${arg.name}=${wordText(arg.value, variables)}` : arg.text];
}

/** `export A=b` and `local A=b` assign as well. */
function readAssignments(command: Command, variables: Variables): SimpleCommand["assignments"] {
  const found: (readonly [string, string])[] = [];
  for (const each of [...command.prefix, ...command.args]) {
    if (each.type !== "Assignment" || each.value.type !== "Word" || each.append === true) continue;
    found.push([each.name, wordText(each.value, variables)]);
  }
  return found;
}

function inputText(redirect: Redirection, variables: Variables): string | undefined {
  if (redirect.type === "HereDoc") return redirect.body.text;
  if (redirect.type === "HereString" && redirect.target !== undefined) return wordText(redirect.target, variables);
  return undefined;
}

function inputFileOf(redirect: Redirection, variables: Variables): string | undefined {
  if (redirect.type !== "Redirect" || redirect.operator !== "<" || redirect.target === undefined) return undefined;
  return wordText(redirect.target, variables);
}

function wordsOf(command: Command): readonly Word[] {
  const words: Word[] = command.name === undefined ? [] : [command.name];
  for (const each of [...command.prefix, ...command.args]) {
    if (each.type === "Word") words.push(each);
    else if (each.type === "Assignment" && each.value.type === "Word") words.push(each.value);
  }
  return words;
}

function substitutionsIn(word: Word): readonly ParsedScript[] {
  return (word.parts ?? []).flatMap(partScripts);
}

function partScripts(part: WordPart): readonly ParsedScript[] {
  if (part.type === "DoubleQuoted" || part.type === "LocaleString") return part.parts.flatMap(partScripts);
  if (part.type !== "CommandExpansion" && part.type !== "ProcessSubstitution") return [];
  return part.script === undefined ? [] : [part.script];
}
