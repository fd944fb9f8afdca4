// node list-inbox.mjs STATE_DIR FILES: looks into the inbox as a watcher does, takes each name away that it sees, and says what it saw.
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { createComplaints } from "../../judge/health/complaints.ts";
import { openInboxLoop } from "../../judge/inbox/inbox-loop.ts";
import { getStatePaths } from "../../lib/io/paths.ts";
import { getQuantile } from "../helpers/figures.ts";

export interface Listing {
  /** Names seen. */
  readonly listed: number;
  /** Names seen once more after they were taken away. */
  readonly again: number;
  /** From the link to the first listing that held the name, in ms. */
  readonly p50: number;
  readonly p99: number;
  /** How often the doorbell said that it does not work. */
  readonly complaints: number;
}

/** What has not been listed so long after the last new name is missed: a rescan comes every 2 s. */
const PATIENCE_MS = 15_000;

const [root = "", files = "0"] = process.argv.slice(2);
const paths = getStatePaths({ CATSTACK_LLM_JUDGE_STATE_DIR: root });
const taken = join(paths.root, "taken");
mkdirSync(taken);
const waits = new Map<string, number>();
let again = 0;
let complaints = 0;
let lastNews = performance.now();
const loop = await openInboxLoop({
  paths,
  complaints: createComplaints(() => (complaints += 1)),
  onFailure(error) {
    throw error;
  },
  look(names) {
    const now = process.hrtime.bigint();
    for (const name of names) {
      if (waits.has(name)) again += 1;
      const linkedAt = BigInt(/-(\d+)\.json$/.exec(name)?.[1] ?? 0);
      waits.set(name, Number(now - linkedAt) / 1e6);
      renameSync(join(paths.inbox, name), join(taken, name));
    }
    if (names.length > 0) lastNews = performance.now();
  },
});
console.log("ready");
const timer = setInterval(() => {
  if (waits.size < Number(files) && performance.now() - lastNews < PATIENCE_MS) return;
  clearInterval(timer);
  void end();
}, 100);

async function end(): Promise<void> {
  await loop.close();
  const times = [...waits.values()];
  const [p50, p99] = [getQuantile(times, 0.5), getQuantile(times, 0.99)];
  const listing: Listing = { listed: waits.size, again, p50, p99, complaints };
  console.log(JSON.stringify(listing));
}
