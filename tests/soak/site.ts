import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareState } from "../../judge/state/prepare-state.ts";
import { getStatePaths, type StatePaths } from "../../lib/io/paths.ts";

/** Folders of one run: a home, settings, a state directory and a place for temporary folders, nothing of this account's. */
export interface Site {
  readonly folder: string;
  readonly home: string;
  readonly temp: string;
  readonly paths: StatePaths;
  /** Of its watchers. Every runner of theirs has this home, and no other process. */
  readonly env: Readonly<Record<string, string>>;
}

/** Nothing is to keep a job waiting but the work itself. 16 is the most that settings allow. */
const settings = {
  judge: {
    concurrency: 16,
    jobs_per_hour: 1_000_000,
    jobs_per_day: 1_000_000,
    hook_share: 1,
    max_waiting: 0,
    trip_per_minute: 0,
  },
};

export function makeSite(name: string): Site {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `catstack-soak-${name}-`)));
  const home = join(folder, "home");
  const temp = join(folder, "temp");
  const config = join(folder, "config");
  for (const path of [home, temp, join(config, "catstack")]) mkdirSync(path, { recursive: true });
  writeFileSync(join(config, "catstack", "config.json"), JSON.stringify(settings));
  const env = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: home,
    TMPDIR: temp,
    XDG_CONFIG_HOME: config,
    CATSTACK_LLM_JUDGE_STATE_DIR: join(folder, "state"),
  };
  const paths = getStatePaths(env);
  prepareState(paths);
  return { folder, home, temp, paths, env };
}
