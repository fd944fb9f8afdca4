import { cutText } from "../../lib/cut-text.ts";

/** The judge reads no more than 4,000 characters; taking secrets out of them may make them a little longer. */
const LENGTH = 3900;
const BEFORE = 900;

/** The part of a reply that the judge reads: all of it, or what stands around `at`. The end of a long reply need not hold it. */
export function selectPassage(reply: string, at: number): string {
  if (reply.length <= LENGTH) return reply;
  const start = Math.max(0, Math.min(at - BEFORE, reply.length - LENGTH));
  return cutText(reply.slice(start).replace(/^[\uDC00-\uDFFF]/, ""), LENGTH);
}
