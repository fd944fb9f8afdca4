import { UsageError } from "./failure.ts";

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The moment that lies so far back: `14d`, `12h` or `30m`. Throws a UsageError for anything else, and for a time before 1970. */
export function parseSince(text: string, now: Date): Date {
  const [, count = "", unit = ""] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  const since = now.getTime() - Number(count) * (unitsMs[unit] ?? Number.NaN);
  if (since >= 0) return new Date(since);
  throw new UsageError(`expected --since to be a time such as 14d, 12h or 30m, got ${JSON.stringify(text)}`);
}
