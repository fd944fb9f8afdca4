import { findText, parseRow } from "../transcript/row.ts";

/** What delivery needs of a verdict. Read by hand: a hook has no time to load a validator. */
export interface DeliveredVerdict {
  readonly id: string;
  readonly hook: string;
  readonly transcriptKey: string;
  readonly outcome: "hit" | "clean" | "unchecked";
  readonly onHit: string;
  readonly report: string;
  readonly reason: string;
  /** A runner's name, `evidence`, or empty when nobody answered. */
  readonly runner: string;
  /** When what it is about was seen: RFC 3339, or empty. */
  readonly observedAt: string;
}

export type ParsedDelivery =
  | { readonly ok: true; readonly verdict: DeliveredVerdict }
  | { readonly ok: false; readonly reason: string };

/** Reads a verdict file's text. Total. An outcome of a later format counts as unchecked, as the contract asks. */
export function parseDelivery(text: string): ParsedDelivery {
  const row = parseRow(text);
  if (row === undefined) return { ok: false, reason: "expected a verdict as one JSON object, got something else" };
  const transcriptKey = findText(row["transcript_key"]);
  const outcome = findText(row["outcome"]);
  if (outcome === undefined) return lacks("outcome");
  if (transcriptKey === undefined || !/^[0-9a-f]{16}$/.test(transcriptKey)) return lacks("transcript_key");
  const hook = findText(row["hook"]) ?? "unknown hook";
  const reason = findText(row["reason"]) ?? "no reason recorded";
  return {
    ok: true,
    verdict: {
      id: findText(row["id"]) ?? "",
      hook,
      transcriptKey,
      outcome: outcome === "hit" || outcome === "clean" ? outcome : "unchecked",
      onHit: findText(row["on_hit"]) ?? `a reply was flagged: ${reason}`,
      report: findText(row["report"]) ?? "",
      reason,
      runner: findText(row["runner"]) ?? "",
      observedAt: findText(row["created_at"]) ?? findText(row["started_at"]) ?? findText(row["finished_at"]) ?? "",
    },
  };
}

function lacks(key: string): ParsedDelivery {
  return { ok: false, reason: `expected a verdict with \`${key}\` in its format, got something else` };
}
