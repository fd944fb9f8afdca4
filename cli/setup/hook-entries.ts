import { applyEdits, findNodeAtLocation } from "jsonc-parser";
import type { Edit, Node } from "jsonc-parser";
import { Failure } from "../failure.ts";
import { appendChild, removeChild } from "./jsonc-edit.ts";
import { expectOnce, expectType, isSameButSpace, parseObject, where } from "./json-text.ts";
import type { Dialect, NamedText } from "./json-text.ts";

/** How a client's JSON file holds hooks. */
export interface HookFormat {
  readonly dialect: Dialect;
  /** What our hooks listen to, as the client names it. */
  readonly events: readonly string[];
  /** What is in the list of an event: commands, or groups of commands (`{ matcher?, hooks: [...] }`). */
  readonly shape: "commands" | "groups";
  /** Keys that the file needs beside `hooks`. */
  readonly needed: Readonly<Record<string, number>>;
  getCommand(event: string): string;
}

/** The text of a file from before we came into it; null where there was no file, undefined where that is not known. */
export type Original = string | null | undefined;

/** A settings text after a change, and what was changed (nothing: the text is the same). */
export interface SettingsChange {
  /** Undefined: the file is to go. */
  readonly text: string | undefined;
  readonly what: readonly string[];
}

/** Seconds, in every client; it ends a hook that takes longer. */
const TIMEOUT_SECONDS = 10;
/** What every command of ours holds that an install wrote, should the person have edited it. */
const MARK = "/hooks/catstack/launch";
/** What else is in a command of ours, or in one that a person has written to call us. */
const GLUE = /^(?:$|[A-Za-z_]\w*=|export |\[ |test |if |then$|else$|fi$|else echo "\{\}"$|exit \d+$|true$|:$)|"\$f"/;
/** The bundle called by hand, as people do before there is an install. */
const BARE_CALL = /catstack[^;&|\n]{0,300}\/hook\.mjs\\?['"]?\s+(?:claude|codex|cursor)\b/;

/**
 * Brings our commands into a settings text: one for each event, as this version writes it, and none elsewhere. Everything else stays byte for byte.
 * An absent file is undefined. Throws a Failure that names file, line and column when the file is not what the client expects.
 */
export function addHooks(text: string | undefined, path: string, format: HookFormat): SettingsChange {
  let result = text === undefined || text.trim() === "" ? "{}\n" : text;
  const what: string[] = [];
  for (;;) {
    const named = { text: result, path };
    const next = findNextChange(named, parseHooks(named, format), format);
    if (next === undefined) return what.length === 0 ? { text, what } : { text: result, what };
    what.push(...next.what);
    result = applyEdits(result, [...next.edits]);
  }
}

/**
 * Takes our commands out, of every event, and the groups, lists and objects that are empty without them. What was there in the original stays, and where nothing
 * else has changed since, it is the result. Throws as `addHooks`.
 */
export function removeHooks(text: string, path: string, format: HookFormat, original: Original): SettingsChange {
  const before = parseOriginal(original, path, format);
  const what = new Set<string>();
  let result = text;
  while (result.trim() !== "") {
    const hooks = parseHooks({ text: result, path }, format);
    const ours = hooks.lists.find(({ commands }) => commands.some(isOurs));
    const command = ours?.commands.find(isOurs);
    if (ours === undefined || command === undefined) break;
    what.add(ours.event);
    result = applyEdits(result, removeChild(result, getEmptiedNode(command, ours, hooks, before)));
  }
  if (what.size === 0) return { text, what: [] };
  return { text: restore(result, path, format, original, before), what: [...what] };
}

/** Whether a settings text holds a command of ours anywhere, readable or not. */
export function mentionsUs(text: string): boolean {
  return text.includes(MARK) || BARE_CALL.test(text);
}

interface EventList {
  readonly event: string;
  readonly list: Node;
  readonly commands: readonly Node[];
}

interface Hooks {
  readonly root: Node;
  /** Undefined when there is no `hooks` key. */
  readonly hooks: Node | undefined;
  readonly lists: readonly EventList[];
}

interface Change {
  readonly edits: readonly Edit[];
  readonly what: readonly string[];
}

/** Only what the client itself accepts is edited: a guess here could lose the person's own hooks. */
function parseHooks(named: NamedText, format: HookFormat): Hooks {
  const root = parseObject(named, format.dialect);
  expectOnce(root, "hooks", named);
  const hooks = findNodeAtLocation(root, ["hooks"]);
  if (hooks === undefined) return { root, hooks, lists: [] };
  expectType(hooks, "object", "`hooks`", named);
  const lists = (hooks.children ?? []).flatMap((property): EventList[] => {
    const [key, list] = property.children ?? [];
    if (key === undefined || list === undefined) return [];
    const event = String(key.value);
    expectOnce(hooks, event, named);
    expectType(list, "array", `\`hooks.${event}\``, named);
    return [{ event, list, commands: listCommands(list, event, format, named) }];
  });
  return { root, hooks, lists };
}

function listCommands(list: Node, event: string, { shape }: HookFormat, named: NamedText): Node[] {
  const items = list.children ?? [];
  for (const item of items) expectType(item, "object", `each item of \`hooks.${event}\``, named);
  const commands = shape === "commands" ? items : items.flatMap((group) => listOfGroup(group, event, named));
  for (const command of commands) {
    expectOnce(command, "command", named);
    expectAlone(command, named);
  }
  return commands;
}

/** Throws a Failure where the person has put a command of theirs into our entry: it would go with ours. */
function expectAlone(command: Node, named: NamedText): void {
  if (!isOurs(command)) return;
  const parts = (getText(command) ?? "").replace(/^\/bin\/sh -c '(.*)'$/s, "$1").split(/;|&&|\|\||\||\n/);
  const theirs = parts.map((part) => part.trim()).find((part) => !GLUE.test(part) && !mentionsUs(part));
  if (theirs === undefined) return;
  throw new Failure(
    `${where(named, command.offset)}: expected our command in an entry of its own, got it beside \`${theirs}\`; give that an entry of its own and run this again`,
  );
}

function listOfGroup(group: Node, event: string, named: NamedText): readonly Node[] {
  expectOnce(group, "hooks", named);
  const commands = findNodeAtLocation(group, ["hooks"]);
  if (commands !== undefined) expectType(commands, "array", `\`hooks\` in an item of \`hooks.${event}\``, named);
  return commands?.children ?? [];
}

function findNextChange(named: NamedText, hooks: Hooks, format: HookFormat): Change | undefined {
  const { text } = named;
  for (const [key, value] of Object.entries(format.needed)) {
    if (findNodeAtLocation(hooks.root, [key]) === undefined)
      return { edits: appendChild(text, hooks.root, value, key), what: [] };
  }
  for (const event of format.events) {
    const change = findEventChange(text, hooks, event, format);
    if (change !== undefined) return change;
  }
  const old = hooks.lists.find(({ event, commands }) => !format.events.includes(event) && commands.some(isOurs));
  const command = old?.commands.find(isOurs);
  if (old === undefined || command === undefined) return undefined;
  return {
    edits: removeChild(text, getEmptiedNode(command, old, hooks, undefined)),
    what: [`${old.event} (taken out)`],
  };
}

function findEventChange(text: string, hooks: Hooks, event: string, format: HookFormat): Change | undefined {
  const found = hooks.lists.find((each) => each.event === event);
  const ours = found?.commands.filter(isOurs) ?? [];
  const wanted = format.getCommand(event);
  const kept = ours.find((command) => getText(command) === wanted) ?? ours[0];
  if (found === undefined || kept === undefined)
    return { edits: appendEntry(text, hooks, found?.list, event, format), what: [event] };
  const extra = ours.find((command) => command !== kept);
  if (extra !== undefined)
    return {
      edits: removeChild(text, getEmptiedNode(extra, found, hooks, undefined)),
      what: [`${event} (one too many)`],
    };
  const node = findNodeAtLocation(kept, ["command"]);
  if (node === undefined || node.value === wanted) return undefined;
  const edit = { offset: node.offset, length: node.length, content: JSON.stringify(wanted) };
  return { edits: [edit], what: [`${event} (renewed)`] };
}

function appendEntry(
  text: string,
  { root, hooks }: Hooks,
  list: Node | undefined,
  event: string,
  format: HookFormat,
): Edit[] {
  const command = { command: format.getCommand(event), timeout: TIMEOUT_SECONDS };
  const entry = format.shape === "commands" ? command : { hooks: [{ type: "command", ...command }] };
  if (hooks === undefined) return appendChild(text, root, { [event]: [entry] }, "hooks");
  return list === undefined ? appendChild(text, hooks, [entry], event) : appendChild(text, list, entry);
}

function isOurs(command: Node): boolean {
  const text = getText(command);
  return text !== undefined && mentionsUs(text);
}

function getText(command: Node): string | undefined {
  if (command.type !== "object") return undefined;
  const value: unknown = findNodeAtLocation(command, ["command"])?.value;
  return typeof value === "string" ? value : undefined;
}

/**
 * The outermost node that would be empty without `command`, and was not there before: itself, its group, its event or `hooks`. Where nothing is known of
 * before, `hooks` stays if the file would be empty without it: it may be all that the person had.
 */
function getEmptiedNode(command: Node, { event, list }: EventList, { root, hooks }: Hooks, before: Before): Node {
  const item = command.parent === list ? command : getEmptiedItem(command);
  if (item.parent !== list || list.children?.length !== 1 || list.parent === undefined || had(before, "hooks", event))
    return item;
  const hadHooks = before === undefined ? root.children?.length === 1 : had(before, "hooks");
  return (hooks?.children?.length === 1 && !hadHooks ? hooks.parent : undefined) ?? list.parent;
}

function had(before: Before, ...path: string[]): boolean {
  return typeof before === "object" && before !== null && findNodeAtLocation(before, path) !== undefined;
}

/** The group of a command that is alone in it; a group with a matcher or another key was not made by us. */
function getEmptiedItem(command: Node): Node {
  const group = command.parent?.parent?.parent;
  return command.parent?.children?.length === 1 && group?.children?.length === 1 ? group : command;
}

/** The very bytes from before, where only white space and the keys that an install adds tell the text from them. */
function restore(
  text: string,
  path: string,
  format: HookFormat,
  original: Original,
  before: Before,
): string | undefined {
  if (before === undefined) return text;
  const bare = removeNeeded({ text, path }, format, before);
  if (!isSameButSpace(bare, before === null ? "{}" : (original ?? "{}"))) return text;
  return original ?? undefined;
}

function removeNeeded({ text, path }: NamedText, { needed, dialect }: HookFormat, before: Before): string {
  let result = text;
  for (const key of Object.keys(needed)) {
    if (had(before, key)) continue;
    const property = findNodeAtLocation(parseObject({ text: result, path }, dialect), [key])?.parent;
    if (property !== undefined) result = applyEdits(result, removeChild(result, property));
  }
  return result;
}

/** What was in the file before: null for nothing, undefined where that is not known. */
type Before = Node | null | undefined;

function parseOriginal(original: Original, path: string, { dialect }: HookFormat): Before {
  if (original === undefined) return undefined;
  if (original === null || original.trim() === "") return null;
  try {
    return parseObject({ text: original, path }, dialect);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
