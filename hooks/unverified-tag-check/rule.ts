import { defineHook, type HookInput, type HookOutcome } from "../../lib/hook.ts";
import { cutReply } from "../../lib/prose/cut-reply.ts";
import { findFences } from "../../lib/prose/find-fences.ts";
import { maskQuoted } from "../../lib/prose/mask.ts";
import { blankSpans } from "../../lib/prose/spans.ts";
import { draftQuestion } from "./draft-question.ts";
import { findAdmissions } from "./find-admissions.ts";
import { findMarkup } from "./find-tags.ts";
import { selectAdmissions } from "./select-admissions.ts";

/** What stands for a character of code or of a quotation: a name in a sentence, never one of its own words. */
const NAME = "X";

export default defineHook({
  id: "unverified-tag-check",
  description:
    "Reports what a reply says it could not verify although files of the project settle it, or its reason does not hold.",
  events: ["Stop"],
  defaultMode: "observe",
  messages: {},
  check,
});

/**
 * One question for each claim that a reply leaves unverified with a reason, three at most, to be looked into in the session's folder. Without a
 * folder, or with one that is not known for sure, there is nothing to look into.
 */
function check({ reply, cwd }: HookInput): HookOutcome {
  if (cwd === undefined || !cwd.startsWith("/")) return { advice: [], jobs: [] };
  const text = cutReply(reply);
  const { tags, tagSpans } = findMarkup(text);
  const untagged = blankSpans(text, tagSpans, " ");
  const spoken = maskQuoted(untagged, findFences(untagged), NAME);
  const admissions = selectAdmissions(tags, findAdmissions(text, spoken));
  return { advice: [], jobs: admissions.map((admission) => draftQuestion(text, admission, cwd)) };
}
