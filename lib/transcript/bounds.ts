import { cutStart } from "../cut-text.ts";

/**
 * Bounds of the digest. A Stop hook reads and writes it after every turn, so a hostile or endless session must not make
 * it grow. Ordinary sessions stay under 100 KB.
 */
export const MAX_PENDING_CALLS = 64;
export const MAX_PENDING_CHECKS = 256;
export const MAX_TARGETS = 200;
export const MAX_SETTLED = 256;
export const MAX_REPLIES = 2;
export const MAX_INVOKED = 8;
const MAX_TEXT = 4000;
const MAX_LINE = 200;
const MAX_PIECES = 8000;
const MAX_FOLDER = 4096;

/** A longer command has no checks: of 3,551 commands of real sessions 6 had 4,000 characters or more. */
export const MAX_COMMAND = 16 * 1024;

/** A line with more checks has none: what failed in it could not be told. */
export const MAX_CHECKS_A_CALL = 16;

/** Length of one check as JSON. A longer one is not followed; cutting its key would make different checks equal. */
export const MAX_CHECK_JSON = 4000;

/** Upper bound of a digest as JSON in UTF-8, whatever the transcript holds. */
export const MAX_DIGEST_BYTES = 12 * 1024 * 1024;

const MAX_TIME = 40;
const PLAIN_ID = /^[ !#-[\]-~]{1,100}$/;

/** Ids of real harnesses: printable ASCII that JSON writes as it is. Calls with other ids are not followed. */
export function isPlainId(id: string): boolean {
  return PLAIN_ID.test(id);
}

/** The start of a text, at most `MAX_LINE` characters. */
export function cutLine(text: string): string {
  const cut = text.slice(0, MAX_LINE);
  return cut.length < text.length && isHighSurrogate(cut.charCodeAt(MAX_LINE - 1)) ? cut.slice(0, -1) : cut;
}

/** The end of a text, at most `MAX_TEXT` characters. */
export function cutText(text: string): string {
  return cutStart(text, MAX_TEXT);
}

/** The end of what a command has printed in pieces, at most `MAX_PIECES` characters. */
export function cutPieces(text: string): string {
  return cutStart(text, MAX_PIECES);
}

/** The folder; empty when it is longer than a path can be. */
export function cutFolder(cwd: string): string {
  return cwd.length > MAX_FOLDER ? "" : cwd;
}

/** The time, unless it is none. */
export function findTime(at: string | undefined): string | undefined {
  return at === undefined || at.length > MAX_TIME ? undefined : at;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
