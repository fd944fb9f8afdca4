import { cutReason } from "../../inbox-schema/describe.ts";
import { MAX_REASON } from "../../inbox-schema/verdict.ts";
import { cutText } from "../../lib/cut-text.ts";
import { redactSecrets } from "../../lib/redact/redact-secrets.ts";

/** No more of a text is looked at; longer than any private key, so that none is cut that its end would show. */
const MAX_LOOK = 16 * 1024;

/** What is left for a program's own words. */
const MAX_DETAIL = MAX_REASON - 40;

/** Not indented: a cause that is, or what a model wrote in a list, is a detail. */
const ERROR_LINE = /^(?:\W{0,3}(?:fatal|panic|error)\b|[A-Z]\w*Error\b|npm (?:error|ERR!))/i;

/** Every way in which asking a runner can fail. */
export type FailureKind =
  | "not-installed"
  | "not-started"
  | "timed-out"
  | "exit"
  | "killed"
  | "output-too-large"
  | "missing-switch"
  | "not-logged-in"
  | "quota"
  | "no-answer"
  | "lacks-key"
  | "quote-not-found"
  | "aborted";

/** Why a runner gave no usable answer; `detail` is what its sentence needs besides. */
export interface Failure {
  readonly kind: FailureKind;
  readonly detail: string;
}

const sentences: Readonly<Record<FailureKind, (detail: string) => string>> = {
  "not-installed": () => "not installed",
  "not-started": (why) => `could not start: ${why}`,
  "timed-out": (limit) => `timed out after ${limit}`,
  exit: (code) => `exit ${code}`,
  killed: (signal) => `killed by ${signal}`,
  "output-too-large": (limit) => `output too large: more than ${limit}`,
  "missing-switch": (complaint) => `missing switch: ${complaint}`,
  "not-logged-in": (complaint) => `not logged in: ${complaint}`,
  quota: (complaint) => `out of quota: ${complaint}`,
  "no-answer": (printed) =>
    printed === "" ? "no answer: it printed nothing" : `no answer: no JSON object in ${printed}`,
  "lacks-key": (keys) => `answer lacks key: ${keys}`,
  "quote-not-found": (keys) => `quote not found: ${keys}`,
  aborted: () => "aborted: the watcher is stopping",
};

/** The failure as the reason of an attempt, 300 characters at most. */
export function describeFailure({ kind, detail }: Failure): string {
  return cutReason(sentences[kind](detail));
}

/** The end of what a program printed, redacted, on one line that leaves room for a few words before it; what is cut begins with a whole word. */
export function getTail(text: string): string {
  const line = toLine(text.slice(-MAX_LOOK));
  if (line.length <= MAX_DETAIL) return line;
  const end = line.slice(-(MAX_DETAIL - 1));
  return `…${/^\S{0,40}\s(.*)$/.exec(end)?.[1] ?? end.replace(/^[\uDC00-\uDFFF]/, "")}`;
}

/**
 * Why a program gave up, in its own words: from the last line that begins as an error does, else the end of what it printed. Not the first one,
 * since codex prints the question before it. The stack that follows an error tells a person nothing.
 */
export function getComplaint(text: string): string {
  const lines = text.slice(-MAX_LOOK).split(/[\r\n]+/);
  const from = lines.findLastIndex((line) => ERROR_LINE.test(line));
  if (from === -1) return getTail(text);
  const complaint = lines.slice(from);
  const stack = complaint.findIndex((line) => /^\s+at \S/.test(line));
  const line = toLine((stack === -1 ? complaint : complaint.slice(0, stack)).join("\n"));
  if (line.length <= MAX_DETAIL) return line;
  const start = cutText(line, MAX_DETAIL - 1);
  return `${/^(.*)\s\S{0,40}$/.exec(start)?.[1] ?? start}…`;
}

function toLine(text: string): string {
  return redactSecrets(text)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
}
