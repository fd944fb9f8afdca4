import type { Invocation } from "./runner.ts";

/**
 * Every prompt begins with this line. A prompt that began with `/` would be a slash command to claude, one that began with `-`
 * a switch to all of them (measured with Claude Code 2.1.197 and Codex 0.171.0).
 */
const FIRST_LINE = "This is one question from catstack. End your answer with the one line of JSON that it asks for.";

/** Linux takes 128 KiB in one argument and no more; a longer prompt goes by stdin, with room to spare. */
const MAX_ARGUMENT_BYTES = 100 * 1024;

/** The prompt as a runner gets it. No argument can hold a NUL, so one is replaced. */
export function toRunnerPrompt(prompt: string): string {
  return `${FIRST_LINE}\n\n${prompt.replaceAll("\0", "\uFFFD")}`;
}

/** Where a CLI takes the prompt. */
interface PromptForms {
  readonly file: string;
  /** The arguments when the prompt is one of them. */
  readonly asArgument: (prompt: string) => readonly string[];
  /** The arguments when it comes by stdin. */
  readonly fromStdin: readonly string[];
}

/** Chooses between the two by the prompt's size in bytes of UTF-8. */
export function passPrompt(prompt: string, { file, asArgument, fromStdin }: PromptForms): Invocation {
  return Buffer.byteLength(prompt) > MAX_ARGUMENT_BYTES
    ? { file, args: fromStdin, stdin: prompt }
    : { file, args: asArgument(prompt) };
}
