import { randomBytes } from "node:crypto";
import { appendText } from "../../lib/io/append-text.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { shortHash } from "../../lib/io/transcript-key.ts";
import { describeReachedCap, type Caps, type Start } from "./budget.ts";
import { openStartsFiles, type StartsFiles } from "./starts-files.ts";

/** What the caps count: the jobs of the last day that began to ask a model, of all watchers of a state directory. */
export interface Starts {
  /** In the order in which they were counted. Throws when they cannot be read: nobody knows then what may still be spent. */
  list(now: number): Start[];
  /** Counts one start of a hook, unless that would pass a cap: gives the cap that is used up, in words. Throws as `list`. */
  reserve(hook: string, caps: Caps, now: number): string | undefined;
}

/**
 * Exact among watchers: each adds its line before it looks, lines are appended one after the other, and whoever finds too many before its
 * own takes it back. Of some that look at the same moment too many may step back, which a later try puts right; never too few.
 */
export function openStarts(paths: StatePaths): Starts {
  const files = openStartsFiles(paths);
  return {
    list: (now) => files.read(now).flat(),
    reserve(hook, caps, now) {
      files.putAside(now, `${now.toString(36)}-${randomBytes(4).toString("hex")}`);
      const name = randomBytes(8).toString("hex");
      const hookHash = shortHash(hook);
      append(paths, `${now} ${name} ${hookHash}`);
      const reached = describeReachedCap(findEarlier(files, name, now, paths), caps, now, hookHash);
      if (reached !== undefined) append(paths, `x ${name}`);
      return reached;
    },
  };
}

/** What stands before it, and all that other files hold: these may be older or newer. */
function findEarlier(files: StartsFiles, own: string, now: number, { starts: path }: StatePaths): Start[] {
  const all = files.read(now);
  const home = all.find((starts) => starts.some(({ name }) => name === own));
  if (home === undefined)
    throw new Error(`expected the line that was just added to ${path}, got none; it is tried again`);
  const others = all.filter((starts) => starts !== home);
  return [
    ...others.flat(),
    ...home.slice(
      0,
      home.findIndex(({ name }) => name === own),
    ),
  ];
}

/** A line that was cut off, as by a full disk, must not swallow the next one: that begins with a line end of its own. */
function append({ starts }: StatePaths, line: string): void {
  appendText(starts, `\n${line}\n`);
}
