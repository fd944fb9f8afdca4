import { tools } from "./tools/index.ts";

// Plain data, made of the tools: the build works it out, so that the hooks' bundle holds it without them.

/** The programs that the calls of tools begin with, by name or by a matcher's list. */
export const programs: readonly string[] = [
  ...new Set(tools.flatMap(({ calls, match }) => [...calls.map(getProgram), ...(match?.programs ?? [])])),
];

/** Every line, in small letters, that holds a call which only a matcher without a list of programs finds, fits one of these. */
export const hints: readonly RegExp[] = tools.flatMap(({ match }) => match?.hint ?? []);

function getProgram(call: string): string {
  return call.split(" ", 1)[0] ?? "";
}
