import { readFileSync } from "node:fs";
import type { Harness } from "../../lib/hook.ts";
import { transcript } from "./claude-transcript.ts";
import { exited, goesOn, rollout } from "./codex-rollout.ts";

/** One session of fixtures/stories, whose README explains the lines. */
export interface Story {
  readonly title: string;
  readonly turns: readonly Turn[];
}

export interface Turn {
  readonly events: readonly StoryEvent[];
  readonly reply: string;
  /** Labels of the checks that are said to have flipped at its end. */
  readonly says: readonly string[];
}

export type StoryEvent =
  | { readonly kind: "prompt"; readonly text: string }
  | { readonly kind: "edit"; readonly text: string }
  | { readonly kind: "in"; readonly text: string }
  | { readonly kind: "compaction" }
  | { readonly kind: "resumed" }
  | { readonly kind: "ran"; readonly command: string; readonly output: string; readonly end: RunEnd }
  | { readonly kind: "ends"; readonly task: string; readonly output: string; readonly exitCode: number };

/** How a run ended: with a status, not at all, or it goes on under a name. */
type RunEnd = number | "refused" | "interrupted" | { readonly task: string };

/** The state of a session at the end of a turn. */
export interface TurnEnd extends Omit<Turn, "events"> {
  readonly jsonl: string;
}

/** The stories of a file; throws at a line that means nothing. */
export function readStories(file: string): readonly Story[] {
  const text = readFileSync(new URL(`../../fixtures/stories/${file}`, import.meta.url), "utf8");
  return text.split(/^## /m).slice(1).map(parseStory);
}

function parseStory(text: string): Story {
  const [title = "", ...lines] = text.split("\n");
  const turns: Turn[] = [];
  let events: StoryEvent[] = [];
  for (const line of lines) {
    const [sign, rest] = [line.slice(0, 2), line.slice(2)];
    if (line === "") continue;
    else if (sign === "> ") events.push({ kind: "prompt", text: rest });
    else if (sign === "$ ") events.push({ kind: "ran", command: rest, output: "", end: 0 });
    else if (sign === "  ") events.push(withOutput(events.pop(), rest));
    else if (sign === "< ") turns.push({ events, reply: rest, says: [] });
    else if (sign === "! ") turns.push(withSaying(turns.pop(), rest));
    else if (line.startsWith("[")) parseMark(line, events);
    else throw new Error(`story ${title}: no such line: ${line}`);
    if (sign === "< ") events = [];
  }
  if (events.length > 0) throw new Error(`story ${title}: the last turn has no reply`);
  return { title, turns };
}

function withOutput(event: StoryEvent | undefined, line: string): StoryEvent {
  if (event?.kind !== "ran" && event?.kind !== "ends") throw new Error(`no command printed: ${line}`);
  return { ...event, output: event.output === "" ? line : `${event.output}\n${line}` };
}

function withSaying(turn: Turn | undefined, label: string): Turn {
  if (turn === undefined) throw new Error(`no turn ended before: ! ${label}`);
  return { ...turn, says: [...turn.says, label] };
}

function parseMark(line: string, events: StoryEvent[]): void {
  const [, word = "", rest = ""] = /^\[(\S+?)(?: (.*))?\]$/.exec(line) ?? [];
  const end = / ?ends with (\d+)$/.exec(rest);
  if (end !== null) events.push({ kind: "ends", task: word, output: "", exitCode: Number(end[1]) });
  else if (word === "edit") events.push({ kind: "edit", text: rest });
  else if (word === "in") events.push({ kind: "in", text: rest });
  else if (word === "compaction") events.push({ kind: "compaction" });
  else if (word === "resumed") events.push({ kind: "resumed" });
  else if (word === "exit") endRun(events, Number(rest));
  else if (word === "refused" || word === "interrupted") endRun(events, word);
  else if (word === "goes") endRun(events, { task: rest.replace("on as ", "") });
  else throw new Error(`no such mark: ${line}`);
}

function endRun(events: StoryEvent[], end: RunEnd): void {
  const event = events.pop();
  if (event?.kind !== "ran") throw new Error("a mark for the end of a run stands behind no command");
  events.push({ ...event, end });
}

/** A session as a harness writes it, at the end of each turn. */
export function tell(story: Story, harness: Extract<Harness, "claude" | "codex">): readonly TurnEnd[] {
  const teller = harness === "claude" ? createClaudeTeller() : createCodexTeller();
  return story.turns.map(({ events, reply, says }) => {
    for (const event of events) teller.add(event);
    return { reply, says, jsonl: teller.end(reply) };
  });
}

interface Teller {
  add(event: StoryEvent): void;
  /** The rows so far, once the reply is written. */
  end(reply: string): string;
}

const refusals = {
  refused: "The user doesn't want to proceed with this tool use. The tool use was rejected.",
  interrupted: "[Request interrupted by user for tool use]",
};

function createClaudeTeller(): Teller {
  const session = transcript();
  const commands = new Map<string, string>();
  let cwd = "/home/user/project";
  let copied = "";
  return {
    add(event) {
      if (event.kind === "prompt") session.user(event.text);
      else if (event.kind === "edit") session.tool("Edit", `The file ${event.text} has been updated.`);
      else if (event.kind === "in") cwd = event.text;
      else if (event.kind === "compaction") session.compaction();
      else if (event.kind === "resumed") copied = session.toJsonl();
      else if (event.kind === "ends") session.taskEnds(commands.get(event.task) ?? "", event.exitCode);
      else if (typeof event.end === "number") session.ran(event.command, event.output, { cwd, exitCode: event.end });
      else if (typeof event.end === "string") session.refused(event.command, refusals[event.end]);
      else {
        commands.set(event.end.task, event.command);
        session.background(event.command, { cwd });
      }
    },
    end: (reply) => copied + session.says(reply).toJsonl(),
  };
}

function createCodexTeller(): Teller {
  const session = rollout();
  let calls = 0;
  let cwd = "/home/user/project";
  let copied = "";
  const call = (name: string, args: object, output: string): void => {
    const id = `call_${++calls}`;
    session.call(id, name, args).output(id, output);
  };
  return {
    add(event) {
      if (event.kind === "prompt") session.user(event.text);
      else if (event.kind === "edit") call("apply_patch", { path: event.text }, "Success. Updated the file.");
      else if (event.kind === "in") session.turn((cwd = event.text));
      else if (event.kind === "compaction")
        session.raw({ type: "compacted", payload: { message: "The tests were run." } });
      else if (event.kind === "resumed") copied = session.toJsonl();
      else if (event.kind === "ends") {
        const output = exited(event.exitCode, event.output);
        call("write_stdin", { session_id: Number(event.task), chars: "" }, output);
      } else call("exec_command", { cmd: event.command, workdir: cwd }, getCodexOutput(event));
    },
    end: (reply) => copied + session.says(reply).toJsonl(),
  };
}

function getCodexOutput({ command, output, end }: Extract<StoryEvent, { kind: "ran" }>): string {
  if (typeof end === "number") return exited(end, output);
  if (end === "refused") return `exec_command failed for \`/bin/bash -lc '${command}'\`: Rejected("rejected by user")`;
  return end === "interrupted" ? "aborted by user after 3.1s" : goesOn(Number(end.task), output);
}
