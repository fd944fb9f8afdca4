import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { parseObject } from "../../inbox-schema/problem.ts";
import { prepareState } from "../../judge/state/prepare-state.ts";
import { getStatePaths, type StatePaths } from "../../lib/io/paths.ts";
import { bundle } from "../helpers/bundle.ts";
import { deafen } from "../helpers/deafen.ts";
import type { Listing } from "./list-inbox-main.ts";

const WRITERS = 4;
const BURST = 100;

/** What a process saw that did nothing but look into an inbox while four others wrote to it. */
export async function measureListing(
  folder: string,
  files: number,
  { deaf }: { readonly deaf: boolean },
): Promise<Listing> {
  const paths = getStatePaths({ CATSTACK_LLM_JUDGE_STATE_DIR: join(folder, "state") });
  prepareState(paths);
  const program = join(folder, "list-inbox.mjs");
  await bundle(new URL("list-inbox-main.ts", import.meta.url), program);
  const argv = [process.execPath, program, paths.root, String(files)];
  const [file = "", ...args] = deaf ? deafen(argv) : argv;
  const lister = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"], env: { PATH: process.env["PATH"] } });
  let output = "";
  const isReady = new Promise<void>((resolve) => lister.stdout.setEncoding("utf8").once("data", () => resolve()));
  lister.stdout.on("data", (text: string) => (output += text));
  const ended = whenEnded(lister, "the process that lists the inbox");
  await Promise.race([isReady, ended]);
  await writeInBursts(paths, files);
  await ended;
  return parseListing(output);
}

/**
 * Drops jobs that bring their own answer, by four processes, each in bursts of a hundred without a pause between two files: a temporary
 * file, linked into the inbox as `<name>-<ns>.json`. `ns` is the system's monotonic clock just before the link. Gives the names.
 */
export async function writeInBursts(paths: StatePaths, files: number, prefix = ""): Promise<string[]> {
  const writers = Array.from({ length: WRITERS }, (_, writer) => ({
    name: `${prefix}${writer}`,
    count: Math.floor((files + writer) / WRITERS),
  }));
  await Promise.all(writers.map(({ name, count }) => runWriter(paths, name, count)));
  return writers.flatMap(({ name, count }) => Array.from({ length: count }, (_, index) => `${name}-${index + 1}`));
}

const writer = `
  import { linkSync, unlinkSync, writeFileSync } from "node:fs";
  const [tmp, inbox, writer, count, burst] = process.argv.slice(1);
  const job = { hook: "bench", transcript: "/nowhere/session.jsonl", on_hit: "text", answer: { padding: "x".repeat(400) } };
  for (let index = 1; index <= Number(count); index++) {
    const path = tmp + "/" + writer + "-" + index;
    writeFileSync(path, JSON.stringify(job));
    linkSync(path, inbox + "/" + writer + "-" + index + "-" + process.hrtime.bigint() + ".json");
    unlinkSync(path);
    if (index % Number(burst) === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }`;

async function runWriter({ tmp, inbox }: StatePaths, name: string, count: number): Promise<void> {
  const args = ["--input-type=module", "-e", writer, tmp, inbox, name, String(count), String(BURST)];
  await whenEnded(spawn(process.execPath, args, { stdio: "inherit" }), `writer ${name}`);
}

function whenEnded(child: ChildProcess, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`expected ${what} to end with 0, got ${code ?? signal}`));
    });
  });
}

function parseListing(output: string): Listing {
  const parsed = parseObject(output.trim().split("\n").at(-1) ?? "");
  if (!parsed.ok) throw new Error(`expected a line of JSON from the process that lists the inbox, got: ${output}`);
  const { value } = parsed;
  const get = (key: keyof Listing): number => {
    const number = value[key];
    // JSON has no NaN: nothing was listed then.
    return typeof number === "number" ? number : Number.NaN;
  };
  return {
    listed: get("listed"),
    again: get("again"),
    p50: get("p50"),
    p99: get("p99"),
    complaints: get("complaints"),
  };
}
