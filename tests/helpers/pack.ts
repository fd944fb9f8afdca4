import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../inbox-schema/describe.ts";
import { projectRoot } from "../kit/folders.ts";

/** What is in a fresh checkout and belongs to the package, or to its build. */
const checkedOut = [
  "package.json",
  "build.mjs",
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
  "SECURITY.md",
  ".claude-plugin",
  "skills",
  "cli",
  "hooks",
  "inbox-schema",
  "judge",
  "lib",
  "fixtures/transcripts",
];

export interface Packed {
  readonly tarball: string;
  /** Bytes of the tarball, and of what is in it. */
  readonly size: number;
  readonly unpackedSize: number;
  /** The paths in it, sorted. */
  readonly files: readonly string[];
  /** The checkout that was packed. */
  readonly checkout: string;
}

/** `npm pack` in a copy of this checkout: packing builds `dist/`, which other tests read. The copy and the tarball are in `folder`. */
export function packProject(folder: string): Packed {
  const checkout = join(folder, "checkout");
  for (const path of checkedOut) cpSync(join(projectRoot, path), join(checkout, path), { recursive: true });
  symlinkSync(join(projectRoot, "node_modules"), join(checkout, "node_modules"));
  mkdirSync(join(folder, "packed"));
  const npm = runNpm(folder, checkout, ["pack", "--json", "--pack-destination", join(folder, "packed")]);
  // The lines of the scripts stand before it, in some versions of npm.
  return { ...parsePacked(JSON.parse(npm.slice(npm.indexOf("[\n"))), join(folder, "packed")), checkout };
}

/** Installs a tarball as npm does for a person, without a network: what it needs must be in it. Gives the package's folder. */
export function installTarball(folder: string, { tarball }: Packed, name: string): string {
  const prefix = join(folder, "prefix");
  mkdirSync(prefix);
  runNpm(folder, prefix, ["install", "--prefix", prefix, "--offline", "--ignore-scripts", tarball]);
  return join(prefix, "node_modules", name);
}

function runNpm(folder: string, cwd: string, args: readonly string[]): string {
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  const env = { PATH: process.env["PATH"], HOME: join(folder, "npm-home") };
  const { status, stdout, stderr } = spawnSync("npm", [...args, ...quiet], { cwd, env, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout;
}

function parsePacked(value: unknown, folder: string): Omit<Packed, "checkout"> {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  assert.ok(isRecord(first));
  const { filename, size, unpackedSize, files } = first;
  assert.ok(typeof filename === "string" && typeof size === "number" && typeof unpackedSize === "number");
  assert.ok(Array.isArray(files));
  const paths = files.map((file: unknown) => (isRecord(file) ? String(file["path"]) : ""));
  return { tarball: join(folder, filename), size, unpackedSize, files: paths.toSorted() };
}
