import { cutText } from "../cut-text.ts";
import { toPlainLine } from "../plain-line.ts";

/** Something that went wrong in a hook process. `hook` is a hook's id, or the part of the edge that met it. */
export interface HookError {
  readonly hook: string;
  readonly error: unknown;
}

const MAX_LENGTH = 400;

/** The one line that a hook process may print about what went wrong; empty when nothing did. The first error stands for all. */
export function renderErrors(errors: readonly HookError[]): string {
  const [first] = errors;
  if (first === undefined) return "";
  const others = errors.length === 1 ? "" : ` (and ${errors.length - 1} more)`;
  return `catstack-hook-error ${first.hook}: ${cutText(toPlainLine(describe(first.error)), MAX_LENGTH)}${others}\n`;
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : `Error: ${String(error)}`;
}
