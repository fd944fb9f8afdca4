import { cutReason } from "../inbox-schema/describe.ts";
import type { Job } from "../inbox-schema/job.ts";
import { MAX_REPORT } from "../inbox-schema/verdict.ts";
import { cutText } from "../lib/cut-text.ts";
import { createUnseal } from "../lib/outcome/render-prompt.ts";
import { redactSecrets, stripUnseen } from "../lib/redact/redact-secrets.ts";
import type { Failure } from "./runners/failure.ts";
import type { Answer } from "./runners/runner.ts";

/** What an answer is worth. */
export type Decision =
  | {
      readonly accepted: true;
      readonly outcome: "hit" | "clean";
      readonly reason: string;
      /** The answer's own words for the agent, redacted, 600 characters at most. */
      readonly report?: string;
    }
  | { readonly accepted: false; readonly failure: Failure };

/**
 * Decides a hit or clean from an answer that says enough: it has every key of `hit_if_all_true`, and every key of `quoted` holds
 * a string that stands in one of the texts. Any other answer is a failed attempt, never clean. Only JSON true counts as true.
 */
export function decideOutcome(job: DecidedJob, answer: Answer): Decision {
  const keys = job.hit_if_all_true;
  const unseal = createUnseal(job);
  const missing = keys.filter((key) => !Object.hasOwn(answer, key));
  if (missing.length > 0) return fail("lacks-key", missing.map(nameMissing));
  const unquoted = findUnquoted(job.quoted ?? [], job.texts ?? [], answer);
  if (unquoted.length > 0) return fail("quote-not-found", unquoted);
  const untrue = keys.filter((key) => answer[key] !== true);
  return {
    accepted: true,
    outcome: untrue.length === 0 ? "hit" : "clean",
    reason: cutReason(getReason(keys.map(unseal), untrue.map(unseal))),
    ...getReport(answer),
  };

  /** Who reads that `claims` is missing must not find it in the answer. */
  function nameMissing(key: string): string {
    const plain = unseal(key);
    return plain !== key && Object.hasOwn(answer, plain) ? `${plain} with its mark` : plain;
  }
}

type DecidedJob = Pick<Job, "hit_if_all_true" | "quoted" | "texts"> & { readonly prompt?: string | undefined };

function fail(kind: "lacks-key" | "quote-not-found", keys: readonly string[]): Decision {
  return { accepted: false, failure: { kind, detail: keys.join(", ") } };
}

function getReason(keys: readonly string[], untrue: readonly string[]): string {
  if (untrue.length > 0) return `not true: ${untrue.join(", ")}`;
  return keys.length === 0 ? "answered, and any answer is a hit" : `all true: ${keys.join(", ")}`;
}

/** The keys whose value is no string, is blank, or stands in none of the texts; line breaks and indents do not count. */
function findUnquoted(keys: readonly string[], texts: readonly string[], answer: Answer): string[] {
  const searched = texts.map(normalizeSpace);
  return keys.filter((key) => {
    const value = Object.hasOwn(answer, key) ? answer[key] : undefined;
    const quote = typeof value === "string" ? normalizeSpace(value) : "";
    return quote === "" || !searched.some((text) => text.includes(quote));
  });
}

function normalizeSpace(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Redacted before it is cut: a secret that was cut is not recognised. */
function getReport(answer: Answer): { report?: string } {
  const report = Object.hasOwn(answer, "report") ? answer["report"] : undefined;
  if (typeof report !== "string") return {};
  const text = cutText(redactSecrets(toPlainText(report)), MAX_REPORT);
  return text === "" ? {} : { report: text };
}

/** One line without halves of surrogate pairs and what nobody sees: an agent reads it all the same. */
function toPlainText(text: string): string {
  return stripUnseen(text.replaceAll(/[\t-\r\u0085\u2028\u2029]+/g, " "))
    .replaceAll(/\p{Cs}/gu, "")
    .trim();
}
