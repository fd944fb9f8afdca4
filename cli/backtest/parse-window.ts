import { UsageError } from "../failure.ts";
import { parseSince } from "../parse-since.ts";

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?$/;

/** From when on turns count: `14d`, `36h`, a day such as 2026-01-31 (by the clock of this machine) or a time of ISO 8601. Throws a UsageError. */
export function parseWindow(text: string, now: Date): Date {
  const moment = new Date(DAY.test(text) ? `${text}T00:00:00` : text);
  if ((DAY.test(text) || MOMENT.test(text)) && !Number.isNaN(moment.getTime())) return moment;
  try {
    return parseSince(text, now);
  } catch {
    throw new UsageError(`expected --since to be a time such as 14d, 36h or 2026-01-31, got ${JSON.stringify(text)}`);
  }
}
