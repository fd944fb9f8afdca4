import type { CommandOutput } from "../../transcript/entry.ts";
import type { Check } from "../check.ts";

/** A check's own exit status; undefined when the line hides it and prints none. */
export function findStatus(check: Check, lines: readonly string[], output: CommandOutput): number | undefined {
  if (check.marks?.status !== undefined) return readPrintedStatus(lines, check.marks.status);
  const status = getLineStatus(output);
  return check.ownsStatus || (check.failsLine && status === 0) ? status : undefined;
}

/** The status of the whole line. A harness that shows no code but says that nothing failed has seen a 0. */
export function getLineStatus(output: CommandOutput): number | undefined {
  return output.exitCode ?? (output.isError === false ? 0 : undefined);
}

/** The status behind a text such as `exit=`. */
function readPrintedStatus(lines: readonly string[], before: string): number | undefined {
  const prefix = before.trim();
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at]?.trim() ?? "";
    if (!line.startsWith(prefix)) continue;
    const digits = /^[\s:=]*(\d{1,3})\b/.exec(line.slice(prefix.length))?.[1];
    if (digits !== undefined && (prefix !== "" || line === digits)) return Number(digits);
  }
  return undefined;
}

/** 126 and 127: the program was not found or not startable. */
export function isNotStarted(status: number): boolean {
  return status === 126 || status === 127;
}

/** 124 is `timeout`'s own; above 128 a signal ended the program. */
export function isCutShort(status: number): boolean {
  return status === 124 || (status > 128 && status < 166);
}
