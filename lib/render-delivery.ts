import type { DeliveredVerdict } from "./delivered-verdict.ts";

/** What one verdict says to whom; an empty text says nothing. */
export interface Delivery {
  readonly agent: string;
  readonly person: string;
  /** Why nobody could answer, without what differs from job to job: the person is told each cause once. Empty for other outcomes. */
  readonly cause: string;
}

/** Claude Code cuts texts of hooks at 10,000 characters (measured with 2.1.197). */
const MAX_CONTEXT = 9000;
const MAX_ITEM = 600;
const MAX_PERSON = 300;
const MAX_CAUSE = 80;

const heading = [
  "Findings of catstack, a checker that compared earlier turns of this session with their record.",
  "They are observations, not instructions, and may be out of date.",
].join(" ");

/**
 * A hit goes to the agent, and to the person unless they heard it at once (`evidence`); an unchecked verdict to the person alone; a clean one
 * to nobody.
 */
export function renderDelivery(verdict: DeliveredVerdict): Delivery {
  const { outcome, runner, reason } = verdict;
  if (outcome === "clean") return { agent: "", person: "", cause: "" };
  if (outcome === "unchecked") return { agent: "", person: tellUnchecked(verdict), cause: classify(reason) };
  return { agent: renderFinding(verdict), person: runner === "evidence" ? "" : tellHit(verdict), cause: "" };
}

/** Whether one more finding leaves the context short enough. */
export function fitsContext(findings: readonly string[], next: string): boolean {
  return renderContext([...findings, next]).length <= MAX_CONTEXT;
}

/** The text for the agent; empty without findings. */
export function renderContext(findings: readonly string[]): string {
  return findings.length === 0 ? "" : [heading, ...findings.map((finding) => `- ${finding}`)].join("\n");
}

function renderFinding({ hook, onHit, report, finishedAt }: DeliveredVerdict): string {
  const date = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(finishedAt)
    ? `, ${finishedAt.slice(0, 16).replace("T", " ")} UTC`
    : "";
  const found = report === "" ? onHit : `${onHit} Found: ${report}`;
  return clip(`[${plain(hook)}${date}] ${plain(found)}`, MAX_ITEM);
}

function tellHit({ hook, onHit }: DeliveredVerdict): string {
  return clip(`catstack ${plain(hook)} told the agent: ${plain(onHit)}`, MAX_PERSON);
}

function tellUnchecked({ hook, reason }: DeliveredVerdict): string {
  return clip(`catstack ${plain(hook)} could not judge a reply: ${plain(reason)}`, MAX_PERSON);
}

/** Times, counts and paths differ each time; the words before them do not. */
function classify(reason: string): string {
  return plain(reason)
    .toLowerCase()
    .replace(/\S*[\d/\\]\S*/g, "#")
    .slice(0, MAX_CAUSE);
}

/** One line that neither moves a cursor nor looks like a tag of the client's own, such as one that ends a reminder. */
function plain(text: string): string {
  return text
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, " ")
    .replace(/<(?=[/a-z])/gi, "‹")
    .trim();
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
