import type { StatePaths } from "../../lib/io/paths.ts";
import type { Complaints } from "../health/complaints.ts";
import { createInboxReader } from "./read-inbox.ts";
import { openDoorbell } from "../watch.ts";

/** Looks into the inbox when the bell rings, and now and then without a ring. */
export interface InboxLoop {
  /** Asks for a look soon. Many rings are one look. */
  ring(): void;
  close(): Promise<void>;
}

export interface InboxLoopOptions {
  readonly paths: StatePaths;
  readonly complaints: Complaints;
  /** Gets every name in the inbox. */
  readonly look: (names: readonly string[]) => void;
  /** Hears of a look that failed; the next one may work. */
  readonly onFailure: (error: unknown) => void;
}

const COALESCE_MS = 10;
/** After a look that took long, in an inbox of thousands, the next one waits so many times longer: there is other work. */
const PAUSE_FACTOR = 3;
/** For changes that no event tells of (another machine's, an inbox that was exchanged), and for what time itself changes. */
const RESCAN_MS = 2000;

/** The first look comes right after this resolves. */
export async function openInboxLoop({ paths, complaints, look, onFailure }: InboxLoopOptions): Promise<InboxLoop> {
  let isOpen = false;
  let soon: NodeJS.Timeout | undefined;
  let lookMs = 0;
  const bell = await openDoorbell({
    root: paths.root,
    inbox: paths.inbox,
    ring,
    report: (error) => complaints.failed("watching the inbox", error),
  });
  const readNames = createInboxReader(paths.inbox, () => bell.reopen());
  const rescan = setInterval(lookNow, RESCAN_MS);
  isOpen = true;
  ring();

  /** Before the first look there is nothing to miss. */
  function ring(): void {
    if (isOpen) soon ??= setTimeout(lookNow, Math.max(COALESCE_MS, PAUSE_FACTOR * lookMs));
  }

  function lookNow(): void {
    clearTimeout(soon);
    soon = undefined;
    const start = performance.now();
    try {
      look(readNames());
      complaints.worked("reading the inbox");
    } catch (error) {
      complaints.failed("reading the inbox", error);
      onFailure(error);
    }
    lookMs = performance.now() - start;
  }

  return {
    ring,
    close() {
      isOpen = false;
      clearInterval(rescan);
      clearTimeout(soon);
      return bell.close();
    },
  };
}
