import { parseJob } from "../../inbox-schema/parse-job.ts";
import type { JobDraft, QuestionDraft } from "../../lib/hook.ts";
import { stampJob } from "../../lib/outcome/stamp-job.ts";
import type { Problem } from "./problem.ts";

/** A hook may tell the agent this much at once. */
const MAX_ON_HIT = 600;
/** A longer prompt costs more than the question is worth; three texts of full length fit. */
const MAX_PROMPT = 16_000;

/** What is wrong with a job that a rule has drafted: what the edge would write must be a job, and a question one that a model can answer. */
export function checkDraft(what: string, draft: JobDraft): readonly Problem[] {
  const job = stampJob(draft, {
    id: "a-job",
    hook: "a-hook",
    harness: "claude",
    transcript: "/home/user/session.jsonl",
    transcriptKey: "0123456789abcdef",
    createdAt: "2026-01-01T00:00:00.000Z",
    expiresAt: "2026-01-02T00:00:00.000Z",
    nonceOf: () => "fence-0123456789abcdef",
  });
  const parsed = parseJob(JSON.stringify(job), "a-job");
  return [
    ...checkOnHit(what, draft),
    ...(parsed.ok ? [] : [{ what, expected: "a job that the judge takes", got: parsed.reason }]),
    ...("answer" in draft ? [] : checkQuestion(what, draft, job.prompt?.length ?? 0)),
  ];
}

function checkOnHit(what: string, { onHit }: JobDraft): readonly Problem[] {
  if (onHit.length > 0 && onHit.length <= MAX_ON_HIT && onHit === onHit.trim() && !/[\n\r\u2028\u2029]/.test(onHit))
    return [];
  const got = onHit.length > MAX_ON_HIT ? `${onHit.length} characters` : onHit;
  return [{ what: `${what}.onHit`, expected: `one line of 1 to ${MAX_ON_HIT} characters`, got }];
}

function checkQuestion(what: string, draft: QuestionDraft, promptLength: number): readonly Problem[] {
  const { instruction, hitIfAllTrue, quoted = [], texts, mode, timeoutSeconds, cwd } = draft;
  // The edge seals a key where it stands in double quotes: a key that the instruction does not name is never answered.
  const unnamed = [...hitIfAllTrue, ...quoted].filter((key) => !instruction.includes(JSON.stringify(key)));
  return [
    ...unnamed.map((key) => ({
      what: `${what}.instruction`,
      expected: `the key ${JSON.stringify(key)}, in double quotes`,
      got: instruction,
    })),
    ...(texts.some(({ text }) => text.trim() !== "")
      ? []
      : [{ what: `${what}.texts`, expected: "a text to judge", got: texts }]),
    ...(promptLength <= MAX_PROMPT
      ? []
      : [
          {
            what: `${what}: the prompt`,
            expected: `${MAX_PROMPT} characters at most`,
            got: `${promptLength} characters`,
          },
        ]),
    ...(mode === "investigate" || (timeoutSeconds === undefined && cwd === undefined)
      ? []
      : [
          {
            what: `${what}.mode`,
            expected: '"investigate", the only mode that has a time limit and a folder',
            got: mode,
          },
        ]),
  ];
}
