import { sha1 } from "../../lib/io/sha1.ts";

/** Comments of a file's format: what comes before and after their text. */
export type Comment = readonly [open: string, close: string];

const HASH_COMMENT: Comment = ["# ", ""];

/** Of the line that `sign` adds. */
const SIGNATURE = /^\S* ?written by catstack service, checksum ([0-9a-f]{40})\b.*\n/m;

/** Whose a file is: as `sign` made it, changed since, or never made by it. */
export type Authorship = "ours" | "edited" | "foreign";

/**
 * A file's text with a comment line that tells who wrote it and what it held. The line comes first, or behind `head`, for what has to be
 * the first line.
 */
export function sign(text: string, [open, close]: Comment = HASH_COMMENT, head = ""): string {
  const line = `${open}written by catstack service, checksum ${sha1(head + text)}${close}\n`;
  return head + line + text;
}

/** Looks whose a text is. */
export function probeAuthorship(text: string): Authorship {
  const found = SIGNATURE.exec(text);
  if (found === null) return "foreign";
  return sha1(text.replace(SIGNATURE, "")) === found[1] ? "ours" : "edited";
}
