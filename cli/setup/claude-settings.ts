import { applyEdits, findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Node, ParseError } from "jsonc-parser";
import { Failure } from "../failure.ts";
import { appendChild, removeChild } from "./jsonc-edit.ts";

/** Events that our hooks listen to, as Claude Code names them. */
const EVENTS = ["Stop", "UserPromptSubmit"] as const;
type ClaudeEvent = (typeof EVENTS)[number];

/**
 * The command in Claude Code's settings. It is the same on every machine and for every version, works with any path, and ends in
 * exit 0 whatever is missing: a hook that fails would be shown to the person on every turn.
 */
export const LAUNCHER =
  'f="${CLAUDE_CONFIG_DIR:-$HOME/.claude}/hooks/catstack/launch"; [ ! -r "$f" ] || /bin/sh "$f" claude; exit 0';

/** Seconds; Claude Code drops a hook's output and ends it when it takes longer. */
const TIMEOUT_SECONDS = 10;
/** What every form of our command holds, should the person have edited it. */
const MARK = "/hooks/catstack/launch";
const GROUP = { hooks: [{ type: "command", command: LAUNCHER, timeout: TIMEOUT_SECONDS }] };

/** The settings text after a change, and the events it touched (none: the text is the same). */
export interface SettingsChange {
  readonly text: string;
  readonly events: readonly string[];
}

/**
 * Adds our command to each event that lacks it; everything else stays byte for byte. An absent or empty file is `undefined` or
 * white space. Throws a Failure that names file, line and column when the file is not what Claude Code expects.
 */
export function addEntries(text: string | undefined, path: string): SettingsChange {
  let result = text === undefined || text.trim() === "" ? "{}\n" : text;
  const events: ClaudeEvent[] = [];
  for (const event of EVENTS) {
    const settings = parseSettings(result, path);
    if (findOurs(settings, event).length > 0) continue;
    result = applyEdits(result, appendGroup(result, settings, event));
    events.push(event);
  }
  if (events.length === 0 && text !== undefined) return { text, events };
  const settings = parseSettings(result, path);
  if (!EVENTS.every((event) => holdsCommand(getNodeValue(settings.root), event))) {
    throw new Failure(`${path}: expected to be able to add a hook to it, got a file with two \`hooks\`; leave one`);
  }
  return { text: result, events };
}

/** Takes our commands out, of every event, and the groups and arrays that are empty without them. Throws as `addEntries`. */
export function removeEntries(text: string, path: string): SettingsChange {
  if (text.trim() === "") return { text, events: [] };
  let result = text;
  const events = new Set<string>();
  for (;;) {
    const settings = parseSettings(result, path);
    const found = getEventNames(settings).flatMap((event) =>
      findOurs(settings, event).map((node) => ({ event, node })),
    )[0];
    if (found === undefined) return { text: result, events: [...events] };
    events.add(found.event);
    result = applyEdits(result, removeChild(result, getEmptiedNode(found.node)));
  }
}

/** Whether a settings text holds a command of ours anywhere, readable or not. */
export function mentionsUs(text: string): boolean {
  return text.includes(MARK);
}

/** True when the person has switched every hook off. */
export function hasHooksDisabled(text: string, path: string): boolean {
  if (text.trim() === "") return false;
  const { root } = parseSettings(text, path);
  return findNodeAtLocation(root, ["disableAllHooks"])?.value === true;
}

interface SettingsTree {
  readonly root: Node;
  /** Undefined when there is no `hooks` key. */
  readonly hooks: Node | undefined;
}

function parseSettings(text: string, path: string): SettingsTree {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    throw new Failure(
      `${where(text, path, error.offset)}: expected JSON, got an error (${printParseErrorCode(error.error)}); correct the file and run this again`,
    );
  }
  if (root === undefined) throw new Failure(`${path}: expected JSON, got nothing readable`);
  expectType(root, "object", "the file", text, path);
  const hooks = findNodeAtLocation(root, ["hooks"]);
  if (hooks !== undefined) checkHooks(hooks, text, path);
  return { root, hooks };
}

/** Only what Claude Code itself accepts is edited: a guess here could lose the person's own hooks. */
function checkHooks(hooks: Node, text: string, path: string): void {
  expectType(hooks, "object", "`hooks`", text, path);
  for (const property of hooks.children ?? []) {
    const [key, list] = property.children ?? [];
    if (key === undefined || list === undefined) continue;
    const name = `\`hooks.${String(key.value)}\``;
    expectType(list, "array", name, text, path);
    for (const group of list.children ?? []) {
      expectType(group, "object", `each item of ${name}`, text, path);
      const commands = findNodeAtLocation(group, ["hooks"]);
      if (commands !== undefined) expectType(commands, "array", `\`hooks\` in an item of ${name}`, text, path);
    }
  }
}

function expectType(node: Node, type: "object" | "array", what: string, text: string, path: string): void {
  if (node.type === type) return;
  const article = type === "object" ? "an object" : "an array";
  throw new Failure(
    `${where(text, path, node.offset)}: expected ${what} to be ${article}, got ${node.type}; correct it or remove it and run this again`,
  );
}

function where(text: string, path: string, offset: number): string {
  const before = text.slice(0, offset);
  return `${path}:${before.split("\n").length}:${offset - before.lastIndexOf("\n")}`;
}

function appendGroup(text: string, { root, hooks }: SettingsTree, event: ClaudeEvent): ReturnType<typeof appendChild> {
  if (hooks === undefined) return appendChild(text, root, { [event]: [GROUP] }, "hooks");
  const list = findNodeAtLocation(hooks, [event]);
  return list === undefined ? appendChild(text, hooks, [GROUP], event) : appendChild(text, list, GROUP);
}

function getEventNames({ hooks }: SettingsTree): string[] {
  return (hooks?.children ?? []).map((property) => String(property.children?.[0]?.value));
}

/** The nodes of our commands under one event. */
function findOurs({ hooks }: SettingsTree, event: string): Node[] {
  const list = hooks && findNodeAtLocation(hooks, [event]);
  const groups = list?.children ?? [];
  const commands = groups.flatMap((group) => findNodeAtLocation(group, ["hooks"])?.children ?? []);
  return commands.filter(
    (command) => command.type === "object" && isOurs(findNodeAtLocation(command, ["command"])?.value),
  );
}

function isOurs(command: unknown): boolean {
  return typeof command === "string" && command.includes(MARK);
}

/** The outermost node that would be empty without `command`: itself, its group, its event or `hooks`. */
function getEmptiedNode(command: Node): Node {
  const group = findOnlyChildsOwner(command);
  // A group with a matcher or another key was not made by us.
  if (group?.children?.length !== 1) return command;
  const hooks = findOnlyChildsOwner(group);
  if (hooks === undefined) return group;
  const event = group.parent?.parent;
  return (hooks.children?.length === 1 ? hooks.parent : event) ?? group;
}

/** The object that holds the array whose only item is `item`. */
function findOnlyChildsOwner(item: Node): Node | undefined {
  return item.parent?.children?.length === 1 ? item.parent.parent?.parent : undefined;
}

function holdsCommand(settings: unknown, event: ClaudeEvent): boolean {
  return JSON.stringify(getProperty(getProperty(settings, "hooks"), event) ?? null).includes(MARK);
}

function getProperty(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined;
}
