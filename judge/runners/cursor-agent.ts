import { passPrompt } from "./prompt.ts";
import type { Runner } from "./runner.ts";

const SWITCHES = ["-p", "--mode=ask", "--output-format", "text"];

/** Cursor's CLI. Only in the default set: nothing proves that it could not write. Not tried with the real one. */
export const cursorAgentRunner: Runner = {
  name: "cursor-agent",
  invoke: (prompt) =>
    passPrompt(prompt, {
      file: "cursor-agent",
      asArgument: (text) => [...SWITCHES, text],
      fromStdin: SWITCHES,
    }),
  getVariables: getCursorVariables,
};

/** Cursor's own key. */
export function getCursorVariables(): readonly string[] {
  return ["CURSOR_API_KEY"];
}
