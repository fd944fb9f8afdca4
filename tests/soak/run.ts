// npm run test:soak [-- --jobs N --minutes M --seed S --json]: watchers that are killed at random, bursts of jobs, memory. About two
// minutes; with --minutes, again and again with the next seed until that time is over. Exits with 1 when a promise was broken.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { canDeafen } from "../helpers/deafen.ts";
import { formatFigure, isMet, type Figure } from "../helpers/figures.ts";
import { findProcessesWith } from "../helpers/proc.ts";
import { runCommand } from "../helpers/run-command.ts";
import { lacks } from "../helpers/skip.ts";
import { soakListing } from "./listing.ts";
import { makeSite, type Site } from "./site.ts";
import { runSteady } from "./steady.ts";
import { runStorm } from "./storm.ts";

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "2000" },
    minutes: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const jobs = parseWhole("jobs", values.jobs);
const minutes = parseWhole("minutes", values.minutes);
const firstSeed = parseWhole("seed", values.seed);
if (process.platform !== "linux")
  throw new Error(`expected Linux, whose /proc shows what is left, got ${process.platform}`);

const all: Figure[] = [];
const folder = mkdtempSync(join(tmpdir(), "catstack-soak-"));
try {
  const program = await buildProgram();
  const startedAt = performance.now();
  let seed = firstSeed;
  do {
    await runRound(program, seed);
    seed += 1;
  } while (performance.now() - startedAt < minutes * 60_000);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (values.json) console.log(JSON.stringify(all, undefined, 2));
if (!all.every(isMet)) process.exitCode = 1;

/** What ships, in a folder of its own: a build beside this one changes nothing. */
async function buildProgram(): Promise<string> {
  const build = fileURLToPath(new URL("../../build.mjs", import.meta.url));
  const { code, stderr } = await runCommand(process.execPath, [build, folder]);
  if (code !== 0) throw new Error(`expected the build to end with 0, got ${code}: ${stderr}`);
  return join(folder, "catstack.mjs");
}

async function runRound(program: string, seed: number): Promise<void> {
  await run("storm", (site) => runStorm(site, { jobs, seed, program }));
  const skip = (reason?: string) => console.log(`what a deaf watcher does is left out: ${reason}`);
  const isDeaf = lacks({ skip }, canDeafen(), "user namespaces (unshare --user)") ? [false] : [false, true];
  for (const deaf of isDeaf) await run("listing", (site) => soakListing(site, { files: 5 * jobs, deaf }));
  await Promise.all(
    isDeaf.map((deaf) => run("steady", (site) => runSteady(site, { jobs: (5 * jobs) / 2, program, deaf }))),
  );
}

/** What broke a promise is kept, to be looked at; processes are not. */
async function run(name: string, part: (site: Site) => Promise<readonly Figure[]>): Promise<void> {
  const site = makeSite(name);
  let isKept = true;
  try {
    const figures = await part(site);
    all.push(...figures);
    if (!values.json) console.log(`${figures.map(formatFigure).join("\n")}\n`);
    isKept = !figures.every(isMet);
  } finally {
    for (const pid of findProcessesWith(`HOME=${site.home}`)) process.kill(pid, "SIGKILL");
    if (isKept) console.error(`kept: ${site.folder}`);
    else rmSync(site.folder, { recursive: true, force: true });
  }
}

function parseWhole(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`expected --${name} to be a whole number, got ${text}`);
}
