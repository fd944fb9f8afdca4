import type { Mode } from "../../inbox-schema/job.ts";
import { countStartsLeft, type Caps, type Start } from "../../judge/schedule/budget.ts";
import { formatAge } from "../plain-text.ts";

/** What asking would cost. */
export interface Estimate {
  readonly modes: readonly ModeEstimate[];
  /** Questions that have a verdict already. */
  readonly known: number;
  readonly caps: Caps;
  /** How many may be asked at once. */
  readonly leftNow: number;
  /** How long the caps hold the last one up; null: for ever. */
  readonly waitMs: number | null;
}

export interface ModeEstimate {
  readonly mode: Mode;
  readonly questions: number;
  /** Of the prompts, at four characters each: what the runner adds and reads besides is not in it. */
  readonly tokens: number;
  /** Who is asked, in this order. */
  readonly runners: readonly string[];
}

const CHARACTERS_A_TOKEN = 4;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_A_TOKEN);
}

/** How many of one hook may start now, and how long the last of `count` then waits for a cap. Pure. */
export function estimateWait(
  count: number,
  caps: Caps,
  starts: readonly Start[],
  now: number,
  hook: string,
): Pick<Estimate, "leftNow" | "waitMs"> {
  const leftNow = Math.min(countStartsLeft(starts, caps, now), countStartsLeft(starts, caps, now, hook));
  const left = count - leftNow;
  if (left <= 0) return { leftNow, waitMs: 0 };
  const [perHour, perDay] = [caps.perHour, caps.perDay].map((cap) => Math.ceil(cap * caps.hookShare));
  if (!perHour || !perDay) return { leftNow, waitMs: null };
  const days = Math.floor((count - 1) / perDay);
  return { leftNow, waitMs: Math.max(days * DAY_MS, Math.ceil(left / perHour) * HOUR_MS) };
}

/** The lines a person decides by. Pure. */
export function formatEstimate({ modes, known, caps, leftNow, waitMs }: Estimate): readonly string[] {
  const total = modes.reduce((sum, { questions }) => sum + questions, 0);
  const asked = known === 0 ? "" : `; ${known} more have a verdict from before`;
  const wait = waitMs === null ? "the rest is never asked" : `the last one waits about ${formatAge(waitMs)}`;
  const held = waitMs === 0 ? "no cap holds them up" : `${leftNow} can be asked now, ${wait}`;
  const part = Math.round(caps.hookShare * 100);
  return [
    `${total} questions for a model${asked}`,
    ...modes.map(({ mode, questions, tokens, runners }) => {
      const more = mode === "investigate" ? ", and what it reads of your files" : "";
      return `  ${mode}: ${questions}, about ${tokens} tokens of prompts${more}; asks ${runners.join(", then ")}`;
    }),
    `caps: ${caps.perHour} an hour and ${caps.perDay} a day, of which a backtest may use ${part} %: ${held}`,
  ];
}
