import { readdirSync, statSync } from "node:fs";
import { makePrivateDir } from "../../lib/io/publish-file.ts";

/** Lists the inbox; makes it anew when it is gone, and tells when it is another one than the last time. */
export function createInboxReader(inbox: string, onExchange: () => void): () => string[] {
  let last: string | undefined;
  return () => {
    makePrivateDir(inbox);
    const { ino, birthtimeMs } = statSync(inbox);
    const identity = `${ino} ${birthtimeMs}`;
    if (last !== undefined && last !== identity) onExchange();
    last = identity;
    return readdirSync(inbox);
  };
}
