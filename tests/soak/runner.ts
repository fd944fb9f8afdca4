import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listDir } from "../../lib/io/list-dir.ts";
import { waitFor } from "../helpers/wait-for.ts";
import type { Site } from "./site.ts";

/**
 * What runners do. Each writes its start and its end into one file a job, in append mode, so that the order of the lines is the order of
 * what happened and no clock is asked. The file is also locked (flock) by a descriptor that all it starts inherit: the kernel gives the
 * lock back when the last of them is gone, however it died, so that a run finds out whether anything of an earlier one still lives.
 * Of a hundred runs ten start a process that leaves their group, and one such a process that also holds stdout.
 */
const script = `
exec 9>>"$1/$CATSTACK_JOB"
flock -n 9 || echo "overlap $$" >&9
echo "start $$" >&9
case $CATSTACK_JOB in
  *03) setsid sleep 300 & ;;
  *7) setsid sleep 300 >/dev/null 2>&1 & ;;
esac
case $CATSTACK_JOB in
  *-long) sleep 60 ;;
  *[02468]) sleep 0.05 ;;
  *) sleep 0.3 ;;
esac
echo "end $$" >&9
echo '{"hit":true}'
`;

/** The second is asked when the first is killed. */
const NAMES = ["first", "second"];
export const RUNS_AN_ATTEMPT = NAMES.length;

export interface Runs {
  readonly id: string;
  readonly started: number;
  readonly ended: number;
  /** Some of an earlier run was there when a later one began. */
  readonly overlapped: boolean;
  /** What they wrote, in one line. */
  readonly lines: string;
}

export function makeRunsFolder(site: Site): string {
  const folder = join(site.folder, "runs");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** For the environment of a watcher. */
export function getRunners(runsFolder: string): Readonly<Record<string, string>> {
  const argv = ["/bin/sh", "-c", script, "runner", runsFolder];
  return { CATSTACK_LLM_JUDGE_RUNNERS: JSON.stringify(NAMES.map((name) => [name, argv])) };
}

export function readRuns(runsFolder: string): Runs[] {
  return listDir(runsFolder)
    .sort()
    .map((id) => {
      const lines = readFileSync(join(runsFolder, id), "utf8").trim().split("\n");
      const count = (word: string) => lines.filter((line) => line.startsWith(`${word} `)).length;
      const overlapped = count("overlap") > 0 || isInterleaved(lines);
      return { id, started: count("start"), ended: count("end"), overlapped, lines: lines.join(", ") };
    });
}

/** Whether another run began between a run's start and its end. */
function isInterleaved(lines: readonly string[]): boolean {
  return lines.some((line, index) => {
    if (!line.startsWith("start ")) return false;
    const end = lines.indexOf(line.replace("start", "end"), index);
    return end > index + 1;
  });
}

/**
 * Makes the overlaps that must be seen: a run beside another, and one that begins while a child of a killed run lives on. Throws when they
 * are not, since then no finding of "none" would mean anything.
 */
export async function checkDetector(site: Site): Promise<void> {
  const folder = join(site.folder, "detector");
  mkdirSync(folder);
  await overlap("twin-long", folder, site, () => {});
  await overlap("orphan-long", folder, site, (first) => first.kill("SIGKILL"));
  await runAlone("alone-2", folder, site);
  await runAlone("alone-2", folder, site);
  const found = JSON.stringify(readRuns(folder).map(({ id, overlapped }) => [id, overlapped]));
  const expected = '[["alone-2",false],["orphan-long",true],["twin-long",true]]';
  if (found !== expected) throw new Error(`expected the overlaps ${expected} to be seen, got ${found}`);
}

async function overlap(id: string, folder: string, site: Site, between: (first: ChildProcess) => void): Promise<void> {
  const first = start(id, folder, site);
  await waitForStarts(id, folder, 1);
  between(first);
  const second = start(id, folder, site);
  await waitForStarts(id, folder, 2);
  for (const { pid = 0 } of [first, second]) process.kill(-pid, "SIGKILL");
}

async function runAlone(id: string, folder: string, site: Site): Promise<void> {
  await once(start(id, folder, site), "exit");
}

function start(id: string, folder: string, site: Site): ChildProcess {
  const env = { ...site.env, CATSTACK_JOB: id };
  return spawn("/bin/sh", ["-c", script, "runner", folder], { env, stdio: "ignore", detached: true });
}

async function waitForStarts(id: string, folder: string, count: number): Promise<void> {
  const isThere = () => readRuns(folder).some((runs) => runs.id === id && runs.started === count);
  await waitFor(`${count} starts of ${id}`, () => (isThere() ? true : undefined));
}
