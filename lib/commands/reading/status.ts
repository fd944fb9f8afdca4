/** The exit status that the command line printed behind a text such as `exit=`; undefined when it is not in the output. */
export function readPrintedStatus(lines: readonly string[], before: string): number | undefined {
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
