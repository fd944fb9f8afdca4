import { cutReason } from "../../inbox-schema/describe.ts";
import { MAX_REASON } from "../../inbox-schema/verdict.ts";
import { redactSecrets } from "../../lib/redact/redact-secrets.ts";

/** No more of a text is looked at; longer than any private key, so that none is cut that its end would show. */
const MAX_LOOK = 16 * 1024;

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

/** The end of what a program printed, where it says why it gave up, redacted, on one line that leaves room for a few words before it. */
export function getTail(text: string): string {
  const line = redactSecrets(text.slice(-MAX_LOOK))
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return line.slice(-(MAX_REASON - 40)).replace(/^[\uDC00-\uDFFF]/, "");
}
