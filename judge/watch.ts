import { resolve } from "node:path";
import { watch, type FSWatcher } from "chokidar";

/** Rings when something happened in the inbox; it does not say what. Events get lost in bursts, a listing does not lie. */
export interface Doorbell {
  /** Looks at the paths afresh: after the inbox was replaced, the old one is what is being watched. */
  reopen(): void;
  close(): Promise<void>;
}

export interface DoorbellOptions {
  readonly root: string;
  readonly inbox: string;
  readonly ring: () => void;
  readonly report: (error: unknown) => void;
}

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

/**
 * Opens a doorbell and waits until it works, or has failed to. Watches the root as well as the inbox, so that an inbox which is
 * removed and made again is noticed, and nothing in them: one watch a file would soon use up the system's limit.
 */
export async function openDoorbell(options: DoorbellOptions): Promise<Doorbell> {
  let retryMs = FIRST_RETRY_MS;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;
  let watcher = open();

  function open(): FSWatcher {
    const opened = watchQueue(options);
    opened.on("error", (error) => {
      options.report(error);
      if (opened !== watcher || retry !== undefined || isClosed) return;
      retry = setTimeout(reopen, retryMs);
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    });
    return opened;
  }

  function reopen(): void {
    if (isClosed) return;
    clearTimeout(retry);
    retry = undefined;
    watcher.close().catch(options.report);
    watcher = open();
    options.ring();
  }

  await new Promise<void>((done) => {
    watcher.once("ready", done);
    watcher.once("error", () => done());
  });
  return {
    reopen,
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await watcher.close();
    },
  };
}

function watchQueue({ root, inbox, ring }: DoorbellOptions): FSWatcher {
  const watched = new Set([resolve(root), resolve(inbox)]);
  const watcher = watch(root, {
    depth: 1,
    ignoreInitial: true,
    // Files first: in a burst it is asked of each of them, again and again.
    ignored: (path, stats) => stats?.isFile() === true || !watched.has(resolve(path)),
  });
  // `raw` comes first and for every change, but is marked as internal; `all` is the promise.
  watcher.on("raw", ring);
  watcher.on("all", ring);
  return watcher;
}
