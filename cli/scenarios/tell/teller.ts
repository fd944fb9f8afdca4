import type { CommandStep, Invocation, StoryStep } from "../story-schema.ts";

/** A session under construction, in the rows of one client. */
export interface Teller {
  prompt(user: string | Invocation): void;
  says(text: string): void;
  /** Calls in one message, and then their results. */
  run(commands: readonly CommandStep[]): void;
  /** Leaves a command running, known to the story by `name`. */
  start(command: string, name: string): void;
  end(name: string, exit: number, output: string): void;
  edit(file: string): void;
  useTool(name: string, input: object, output: string): void;
  /** Commands start there from here on. */
  enter(folder: string): void;
  compact(): void;
  /** The client opens the session again, and its file holds the rows so far twice. */
  resume(): void;
  row(row: object): void;
  /** The rows since the last call, as the client appends them to its file. */
  takeRows(): string;
}

/** What a session needs to know about itself. */
export interface SessionPlace {
  readonly sessionId: string;
  /** The folder that the session was started in. */
  readonly cwd: string;
}

/** What the person types. */
export function toTyped(user: string | Invocation): string {
  if (typeof user === "string") return user;
  return user.args === undefined ? `/${user.invoked}` : `/${user.invoked} ${user.args}`;
}

/** Adds the rows of one step. */
export function tellStep(teller: Teller, step: StoryStep): void {
  if ("background" in step) teller.start(step.cmd, step.background);
  else if ("cmd" in step) teller.run([step]);
  else if ("parallel" in step) teller.run(step.parallel);
  else if ("ends" in step) teller.end(step.ends, step.exit, step.output);
  else if ("edit" in step) teller.edit(step.edit);
  else if ("tool" in step) teller.useTool(step.tool, step.input, step.output);
  else if ("says" in step) teller.says(step.says);
  else if ("in" in step) teller.enter(step.in);
  else if ("row" in step) teller.row(step.row);
  else teller.compact();
}

/** What was put under a name. Throws where the story has no such command: its check lets none through. */
export function getTask<Task>(tasks: ReadonlyMap<string, Task>, name: string): Task {
  const task = tasks.get(name);
  if (task === undefined) throw new Error(`expected a command in the background named ${name}, got none`);
  return task;
}
