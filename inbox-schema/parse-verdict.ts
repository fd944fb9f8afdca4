import { describeFailure, findForbiddenKey, findSchemaProblem, parseObject } from "./problem.ts";
import type { ErrorCode, Problem } from "./problem.ts";
import { verdict, VERDICT_SCHEMA, type Verdict } from "./verdict.ts";

/** What a verdict file turned out to be. `reason` is 300 characters at most. */
export type ParsedVerdict =
  | { readonly ok: true; readonly verdict: Verdict }
  | { readonly ok: false; readonly code: ErrorCode; readonly reason: string };

/** Reads a verdict file's text. Never throws. Unknown keys are kept. */
export function parseVerdict(text: string): ParsedVerdict {
  const parsed = parseObject(text);
  if (!parsed.ok) return refuse(parsed.problem);
  const { value } = parsed;
  const problem = findForbiddenKey(value, "at the top level") ?? findSchemaProblem(value["schema"], VERDICT_SCHEMA);
  if (problem !== undefined) return refuse(problem);
  const fields = verdict.safeParse(value);
  if (fields.success) return { ok: true, verdict: fields.data };
  return refuse({ code: "invalid", reason: describeFailure(fields.error, value), fix: "correct it" });
}

function refuse({ code, reason, fix }: Problem): ParsedVerdict {
  return { ok: false, code, reason: `${reason}; ${fix} or delete the file` };
}
