import type { Command, ParsedScript, Redirection, Word, WordPart } from "unbash";
import type { OutputView } from "../check.ts";
import { viewAfterRedirects } from "./pipes.ts";
import type { Variables } from "./words.ts";
import { expandWord, isPlain, wordText } from "./words.ts";

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
  const simple = {
    words: readWords(command, variables),
    assignments: readAssignments(command, variables),
    view: viewAfterRedirects(command.redirects),
    substitutions: readSubstitutions(command),
  };
  return command.redirects.length === 0 ? simple : { ...simple, ...readInput(command.redirects, variables) };
}

/** The words alone, for those who ask for no more. */
export function readWords({ name, args }: Command, variables: Variables): readonly string[] {
  const words: string[] = [];
  if (name !== undefined) addTexts(name, variables, words);
  for (const arg of args) {
    if (arg.type === "Word") addTexts(arg, variables, words);
    else words.push(arg.value.type === "Word" ? `${arg.name}=${wordText(arg.value, variables)}` : arg.text);
  }
  return words;
}

/** The first word alone; undefined when there is none. */
export function readProgram(command: Command, variables: Variables): string | undefined {
  const { name } = command;
  return name !== undefined && isPlain(name) ? name.value : readWords(command, variables)[0];
}

function addTexts(word: Word, variables: Variables, into: string[]): void {
  if (isPlain(word)) into.push(word.value);
  else for (const text of expandWord(word, variables)) into.push(text);
}

/** `export A=b` and `local A=b` assign as well. */
function readAssignments(command: Command, variables: Variables): SimpleCommand["assignments"] {
  const found: (readonly [string, string])[] = [];
  for (const list of [command.prefix, command.args]) {
    for (const each of list) {
      if (each.type !== "Assignment" || each.value.type !== "Word" || each.append === true) continue;
      found.push([each.name, wordText(each.value, variables)]);
    }
  }
  return found;
}

function readInput(
  redirects: readonly Redirection[],
  variables: Variables,
): Pick<SimpleCommand, "input" | "inputFile"> {
  const input = redirects.map((each) => inputText(each, variables)).find((text) => text !== undefined);
  const inputFile = redirects.map((each) => inputFileOf(each, variables)).find((path) => path !== undefined);
  return { ...(input === undefined ? {} : { input }), ...(inputFile === undefined ? {} : { inputFile }) };
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

function readSubstitutions({ name, prefix, args }: Command): readonly ParsedScript[] {
  const scripts: ParsedScript[] = [];
  if (name !== undefined) addScripts(name.parts, scripts);
  for (const list of [prefix, args]) {
    for (const each of list) {
      if (each.type === "Word") addScripts(each.parts, scripts);
      else if (each.type === "Assignment" && each.value.type === "Word") addScripts(each.value.parts, scripts);
    }
  }
  return scripts;
}

function addScripts(parts: readonly WordPart[] | undefined, into: ParsedScript[]): void {
  for (const part of parts ?? []) {
    if (part.type === "DoubleQuoted" || part.type === "LocaleString") addScripts(part.parts, into);
    if (part.type !== "CommandExpansion" && part.type !== "ProcessSubstitution") continue;
    if (part.script !== undefined) into.push(part.script);
  }
}
