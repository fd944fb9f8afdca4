const longestLine = 20_000;
const longestEvidence = 200;

/** Of a longer output only this many lines are read at its start and at its end, where summaries stand. */
const mostHeadLines = 500;
const mostTailLines = 2000;

/** The lines of an output without colours, cursor moves, carriage returns and trailing blanks. */
export function toLines(text: string): readonly string[] {
  const lines = withoutEscapes(text).split("\n");
  const isLong = lines.length > mostHeadLines + mostTailLines;
  const kept = isLong ? [...lines.slice(0, mostHeadLines), ...lines.slice(-mostTailLines)] : lines;
  return kept.map(toShownLine);
}

/** What stands behind the last carriage return overwrites what stands before. */
function toShownLine(line: string): string {
  const trimmed = line.trimEnd();
  const from = trimmed.lastIndexOf("\r") + 1;
  if (from === 0 && trimmed.length <= longestLine) return trimmed;
  return trimmed.slice(from, from + longestLine).trimEnd();
}

/** A line as evidence: trimmed and at most 200 characters. */
export function toEvidence(line: string): string {
  return line.trim().slice(0, longestEvidence);
}

/** Removes ANSI control sequences. */
function withoutEscapes(text: string): string {
  if (!text.includes("\u001B")) return text;
  // oxlint-disable-next-line no-control-regex -- the escape character is what is looked for
  return text.replace(/\u001B(?:\[[0-9;?]*[A-Za-z]|\][^\u0007\u001B]*(?:\u0007|\u001B\\))/g, "");
}

/**
 * A line without the name that a runner puts before the lines of each part: `[test] `, `web:test: `, `web test: `, and the job,
 * step and time of a CI log.
 */
export function withoutRunnerPrefix(line: string): string {
  const part = line.startsWith("[") ? /^\[[\w:/.@-]+\] / : /^[@\w./-]+(?::[\w:-]+: | [\w:-]+(?: \[\w+\])?: )/;
  const bare = line.startsWith("[") || line.includes(": ") ? line.replace(part, "") : line;
  if (bare !== line || !line.includes("\t")) return bare;
  return line.replace(/^[^\t]{1,200}\t[^\t]{1,200}\t\uFEFF?\d{4}-\d\d-\d\dT[\d:.]+Z /, "");
}
