import { createInterface } from "node:readline";
import type { CliIo } from "./io.ts";

/** Whether a person may be asked: the input is a terminal. */
export function canAsk({ stdin }: CliIo): boolean {
  return "isTTY" in stdin && stdin.isTTY === true;
}

/** Asks a question of yes or no; anything but yes is no, and so are the end of the input and an end of `signal`. */
export async function ask(question: string, io: CliIo, signal?: AbortSignal): Promise<boolean> {
  io.err(`${question} [y/N]`);
  const lines = createInterface({ input: io.stdin, ...(signal && { signal }) });
  try {
    for await (const line of lines) return /^y(es)?$/i.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
}
