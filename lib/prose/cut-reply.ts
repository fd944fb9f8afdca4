import { cutText } from "../cut-text.ts";

/** Characters: no turn ends in so long a reply. Of ten megabytes hooks would read longer than harnesses wait for them. */
const MAX_REPLY = 100_000;

/** As much of a reply as a hook reads that judges its words. */
export function cutReply(reply: string): string {
  return cutText(reply, MAX_REPLY);
}
