import type { WatcherStatus } from "../../../judge/status/status.ts";
import { ok, problem, type Check } from "../check.ts";

export interface WatcherFacts {
  readonly watchers: readonly WatcherStatus[];
  /** What `catstack status` would say is wrong. */
  readonly problems: readonly string[];
  /** Of this build. */
  readonly version: string;
}

const START = "run: catstack watch (to keep: catstack service install)";

/** Whether somebody takes jobs, and whether it is this version. Pure. */
export function checkWatcher({ watchers, problems, version }: WatcherFacts): Check {
  const [first] = problems;
  if (first !== undefined) {
    const more = problems.length === 1 ? "" : ` (and ${problems.length - 1} more)`;
    return problem("fail", "watcher", `${first}${more}`, "see: catstack status");
  }
  const alive = watchers.filter(({ liveness }) => liveness === "alive");
  const [other] = alive.filter((watcher) => watcher.version !== version);
  if (other !== undefined) {
    const says = `pid ${other.pid} is ${other.version}, expected ${version}`;
    return problem("warn", "watcher", says, `end it, so that its supervisor starts the new one: kill ${other.pid}`);
  }
  if (alive.length > 0) return ok("watcher", alive.map(({ pid }) => `pid ${pid}, ${version}`).join("; "));
  const [far] = watchers;
  if (far !== undefined) {
    const says = `one on ${far.hostname}, which cannot be seen from here`;
    return problem("unknown", "watcher", says, "look at it there");
  }
  return problem("warn", "watcher", "none runs: what needs a model waits, what the record proves is still told", START);
}

/** Whether it is kept running. Pure. */
export function checkService(names: readonly string[]): Check {
  if (names.length > 0) return ok("service", names.join(", "));
  return problem("warn", "service", "none: a watcher ends with its terminal", "run: catstack service install");
}
