/** A clock on a wall: what a text says without the zone that it is meant in. */
interface WallTime {
  readonly year: number;
  /** 0 is January. */
  readonly month: number;
  readonly day: number;
  readonly minutes: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** No limit is reset later: what names a later time is misread. */
export const MAX_AHEAD_MS = 32 * DAY_MS;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** The 5 of `-5 days` or `1.5 days` is no number of days. */
const UNITS = [
  { pattern: /(?<![\w.-])(\d+)\s*(?:days?|d)\b/i, ms: DAY_MS },
  { pattern: /(?<![\w.-])(\d+)\s*(?:hours?|hrs?|h)\b/i, ms: HOUR_MS },
  { pattern: /(?<![\w.-])(\d+)\s*(?:minutes?|mins?|m)\b/i, ms: MINUTE_MS },
  { pattern: /(?<![\w.-])(\d+)\s*(?:seconds?|secs?|s)\b/i, ms: 1000 },
];

/** The last one counts: "or try again at ..." comes after other advice. */
const AT = /^.*\b(?:resets?|try again)\b(?: at| on)?:? *(?<words>.*)$/is;
const DATE = /^(?<month>[a-z]{3})[a-z]*\.? (?<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>20\d\d))?,?(?: at)? /i;
const TIME = /^(?<hour>\d{1,2})(?::(?<minute>\d\d))? ?(?<half>[ap])\.?m\b/i;
const ZONE = /\((?<zone>UTC|[A-Z][\w+-]*(?:\/[\w+-]+)+)\)/;

/**
 * When a usage limit is reset, in ms since 1970, of the words in which claude and codex say so: `|1755615600`, `try again in 3 days 2 hours`,
 * `resets 3pm (Europe/Berlin)`, `try again at Aug 8th, 2026 12:30 PM`. A time without a zone is one of `zone`, such as `Europe/Berlin`.
 * Undefined where none is found, or one that was over by `now` or lies more than a month ahead. Pure.
 */
export function findResetTime(text: string, now: number, zone: string): number | undefined {
  const time = findEpoch(text) ?? findSpan(text, now) ?? findMoment(text, now, zone);
  return time !== undefined && time > now && time <= now + MAX_AHEAD_MS ? time : undefined;
}

function findEpoch(text: string): number | undefined {
  const seconds = /(?:\||resets_at"?[:=] ?)(\d{10})\b/.exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function findSpan(text: string, now: number): number | undefined {
  const words = /\b(?:resets?|try again) in\b(?!\s*-)(.*)/i.exec(text)?.[1];
  if (words === undefined) return undefined;
  const span = UNITS.reduce((sum, { pattern, ms }) => sum + Number(pattern.exec(words)?.[1] ?? 0) * ms, 0);
  return span === 0 ? undefined : now + span;
}

function findMoment(text: string, now: number, zone: string): number | undefined {
  const words = AT.exec(text)?.groups?.["words"];
  if (words === undefined) return undefined;
  const date = DATE.exec(words);
  const minutes = findMinutes(words.slice(date?.[0].length ?? 0));
  if (minutes === undefined) return undefined;
  const meant = findZone(words) ?? zone;
  return date === null ? findNext(minutes, now, meant) : findDated(date.groups ?? {}, minutes, now, meant);
}

/** Since midnight. */
function findMinutes(words: string): number | undefined {
  const { hour, minute = "0", half } = TIME.exec(words)?.groups ?? {};
  if (hour === undefined || half === undefined || Number(hour) < 1 || Number(hour) > 12 || Number(minute) > 59)
    return undefined;
  return ((Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0)) * 60 + Number(minute);
}

/** A zone that this machine does not know counts as none. */
function findZone(words: string): string | undefined {
  const zone = ZONE.exec(words)?.groups?.["zone"];
  if (zone === undefined) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The next time that the clock shows this. What it showed less than an hour ago is a late message, and not tomorrow's time. */
function findNext(minutes: number, now: number, zone: string): number | undefined {
  const today = { ...getWallTime(now, zone), minutes };
  const times = [-1, 0, 1].map((days) => toEpoch({ ...today, day: today.day + days }, zone));
  if (times.some((time) => time <= now && time > now - HOUR_MS)) return undefined;
  return times.find((time) => time > now);
}

/** Without a year it is the next one of that date. */
function findDated(
  date: Readonly<Record<string, string | undefined>>,
  minutes: number,
  now: number,
  zone: string,
): number | undefined {
  const month = MONTHS.indexOf((date["month"] ?? "").toLowerCase());
  if (month === -1) return undefined;
  const wall = { month, day: Number(date["day"]), minutes };
  const thisYear = getWallTime(now, zone).year;
  const years = date["year"] === undefined ? [thisYear, thisYear + 1] : [Number(date["year"])];
  return years.map((year) => toEpoch({ ...wall, year }, zone)).find((time) => time > now);
}

/** What a clock in the zone shows then. */
function getWallTime(time: number, zone: string): WallTime {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  const get = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  return {
    year: get("year"),
    month: get("month") - 1,
    day: get("day"),
    minutes: get("hour") * 60 + get("minute"),
  };
}

/** When the clock in the zone shows this. Twice, since the first guess may lie on the other side of a change of its offset. */
function toEpoch(wall: WallTime, zone: string): number {
  const asUtc = toUtc(wall);
  const guess = asUtc - getOffset(asUtc, zone);
  return asUtc - getOffset(guess, zone);
}

function getOffset(time: number, zone: string): number {
  return toUtc(getWallTime(time, zone)) - time;
}

function toUtc({ year, month, day, minutes }: WallTime): number {
  return Date.UTC(year, month, day, 0, minutes);
}
