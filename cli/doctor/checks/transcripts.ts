import { basename } from "node:path";
import { formatAge } from "../../plain-text.ts";
import { ok, problem, type Check } from "../check.ts";

export interface TranscriptFacts {
  readonly harness: string;
  /** Undefined: there is none yet. */
  readonly newest:
    | ({ readonly path: string; readonly changedAt: number } & (
        | { readonly unreadable: string }
        | {
            readonly rows: number;
            readonly broken: number;
            /** Rows whose type we know. */
            readonly known: number;
            /** Rows in which somebody says or runs something. */
            readonly spoken: number;
          }
      ))
    | undefined;
}

const LEAST_SHARE = 0.8;
/** A session of fewer rows may have nothing in it yet. */
const FEW_ROWS = 10;

/** Whether the newest session of a harness is written as we read it. Pure. */
export function checkTranscript({ harness, newest }: TranscriptFacts, now: Date): Check {
  const name = `transcripts ${harness}`;
  if (newest === undefined) return problem("unknown", name, "no session so far", "ask again after one");
  if ("unreadable" in newest)
    return problem("fail", name, `${newest.path}: ${newest.unreadable}`, "make it readable for your account");
  const { path, rows, broken, known, spoken, changedAt } = newest;
  const age = formatAge(now.getTime() - changedAt);
  const share = rows === 0 ? 0 : Math.floor((100 * known) / rows);
  const says = `${known} of ${rows} rows known (${share} %) in ${basename(path)}, ${age} ago`;
  if (rows < FEW_ROWS) return problem("unknown", name, `${says}: too few to tell`, "ask again after a longer session");
  if (spoken === 0) return problem("fail", name, `${says}, and nobody says anything in them`, newer(harness));
  if (broken > 0 || share < LEAST_SHARE * 100)
    return problem("warn", name, `${says}, ${broken} broken`, newer(harness));
  return ok(name, says);
}

function newer(harness: string): string {
  return `update catstack: ${harness} may write them otherwise now`;
}
