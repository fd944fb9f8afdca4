import { clipText } from "../cut-text.ts";
import type { DeliveredVerdict } from "./delivered-verdict.ts";
import { toPlainLine } from "../plain-line.ts";

/** What one verdict says to whom; an empty text says nothing. */
export interface Delivery {
  readonly agent?: Finding;
  readonly person: string;
  /** Why nobody could answer, without what differs from job to job: the person is told each cause once. Empty for other outcomes. */
  readonly cause: string;
}

/** What the agent is told of one verdict. */
export interface Finding {
  readonly hook: string;
  /** When it was observed, to the minute; empty when that is not known. */
  readonly time: string;
  readonly text: string;
}

/** Claude Code cuts texts of hooks at 10,000 characters (measured with 2.1.197). */
const MAX_CONTEXT = 9000;
const MAX_ITEM = 600;
const MAX_PERSON = 300;
const MAX_PERSON_LINES = 8;
/** A foreign verdict may hold megabytes; no more of a text is looked at. */
const MAX_LOOK = 10_000;

const heading = [
  "Findings of catstack, a checker that compared earlier turns of this session with their record.",
  "They are observations, not instructions, and may be out of date.",
].join(" ");

/** What our hooks name a job whose finding they tell once: by themselves, a dash and a hash. */
const OWN_ID = /^(.+)-[0-9a-f]{16}$/;

/**
 * A hit goes to the agent, and to the person unless they heard it at once, as evidence of one of `ownHooks`; an unchecked verdict to the person
 * alone; a clean one to nobody.
 */
export function renderDelivery(verdict: DeliveredVerdict, ownHooks: readonly string[]): Delivery {
  const { hook, outcome, runner, reason } = verdict;
  if (outcome === "clean") return { person: "", cause: "" };
  if (outcome === "unchecked") return { person: tellUnchecked(verdict), cause: classify(reason) };
  const heard = runner === "evidence" && ownHooks.includes(hook) && isOwnId(verdict);
  return { agent: toFinding(verdict), person: heard ? "" : tellHit(verdict), cause: "" };
}

/** Whether the hook itself has made the job: one that somebody dropped in its name has told the person nothing. */
function isOwnId({ id, hook }: DeliveredVerdict): boolean {
  // A long name is cut in the id.
  const [, name] = OWN_ID.exec(id) ?? [];
  return name !== undefined && hook.startsWith(name);
}

/** What deliveries have in common that are told as one. */
export function getDeliveryKey({ agent, cause }: Delivery): string {
  return agent === undefined ? `unchecked ${cause}` : `hit ${getFindingKey(agent)}`;
}

function getFindingKey({ hook, text }: Finding): string {
  return `${hook} ${text}`;
}

/** What the person hears of files that should have been verdicts: one line, where there are any. `paths`: where they lie. */
export function renderBurial(paths: readonly string[]): readonly Delivery[] {
  if (paths.length === 0) return [];
  const what =
    paths.length === 1 ? "a verdict could not be read and lies" : `${paths.length} verdicts could not be read and lie`;
  return [{ person: clipText(`catstack: ${what} at ${plain(paths.join(", "))}`, MAX_PERSON), cause: "" }];
}

/** Whether one more finding leaves the context short enough. */
export function fitsContext(findings: readonly Finding[], next: Finding): boolean {
  return renderContext([...findings, next]).length <= MAX_CONTEXT;
}

/** The text for the agent; empty without findings. What several verdicts say alike is said once, with the time of the last. */
export function renderContext(findings: readonly Finding[]): string {
  const lines = foldAlike(findings, getFindingKey).map(({ last, count }) => {
    const times = count === 1 ? "" : `, ${count} times`;
    return `- ${clipText(`[${last.hook}${last.time === "" ? "" : `, ${last.time}`}${times}] ${last.text}`, MAX_ITEM)}`;
  });
  return lines.length === 0 ? "" : [heading, ...lines].join("\n");
}

/** The lines for the person: the same line once, and no more than a screen has room for. */
export function renderLines(lines: readonly string[]): readonly string[] {
  const folded = foldAlike(lines, (line) => line).map(({ last, count }) =>
    count === 1 ? last : `${last} (${count} times)`,
  );
  const more = folded.length - MAX_PERSON_LINES;
  if (more <= 0) return folded;
  return [...folded.slice(0, MAX_PERSON_LINES), `catstack: and ${more} more: \`catstack verdicts\` lists them`];
}

/** In the order of the first of each kind. */
function foldAlike<T>(items: readonly T[], keyOf: (item: T) => string): { last: T; count: number }[] {
  const groups = new Map<string, { last: T; count: number }>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, { last: item, count: (groups.get(key)?.count ?? 0) + 1 });
  }
  return [...groups.values()];
}

function toFinding({ hook, onHit, report, observedAt }: DeliveredVerdict): Finding {
  const found = report === "" ? onHit : `${onHit} Found: ${report}`;
  return { hook: plain(hook), time: toMinute(observedAt), text: plain(found) };
}

/** To the minute, in the time zone it was written in. */
function toMinute(time: string): string {
  const [, date, minute, zone] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*(Z|[+-]\d\d:\d\d)$/i.exec(time) ?? [];
  if (zone === undefined) return "";
  return `${date} ${minute} ${zone.toUpperCase() === "Z" ? "UTC" : zone}`;
}

function tellHit({ hook, onHit }: DeliveredVerdict): string {
  return clipText(`catstack ${plain(hook)} told the agent: ${plain(onHit)}`, MAX_PERSON);
}

function tellUnchecked({ hook, reason }: DeliveredVerdict): string {
  return clipText(`catstack ${plain(hook)} could not judge a reply: ${plain(reason)}`, MAX_PERSON);
}

/** Times, counts and paths differ each time; the words around them do not. A long one keeps its end: the last runner's reason may be all that is new. */
function classify(reason: string): string {
  return plain(reason.slice(-MAX_LOOK))
    .toLowerCase()
    .split(" ")
    .map((word) => (/[\d/\\]/.test(word) ? "#" : word))
    .join(" ");
}

/** One line that neither moves a cursor nor looks like a tag of the client's own, such as one that ends a reminder. */
function plain(text: string): string {
  return toPlainLine(text.slice(0, MAX_LOOK)).replace(/<(?=[/!?|a-z])/gi, "‹");
}
