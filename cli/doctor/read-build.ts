import { createHash } from "node:crypto";
import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import { findSmallText } from "../../lib/io/read-small-file.ts";

/** What a `dist/` folder holds. */
export interface BuildFacts {
  readonly dist: string;
  /** Files that a hook or a command needs and that are not there. */
  readonly missing: readonly string[];
  /** What the hooks' bundle calls itself: 16 hex digits; undefined when it is not there or no bundle of ours. */
  readonly hash: string | undefined;
  /** The same worked out from what lies there. */
  readonly contentHash: string | undefined;
  /** Whether the launcher holds the start file word for word: it refuses any other. */
  readonly launcherFits: boolean;
  /** The Node that the launcher tries first. */
  readonly launcherNode: string | undefined;
}

const NEEDED = ["launch", "start.cjs", "hook.cjs", "hook.mjs", "catstack.mjs"];
/** No part of a build is nearly as large. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Looks at a build; never throws. */
export function readBuild(dist: string): BuildFacts {
  const bundle = findText(join(dist, "hook.cjs")) ?? "";
  const hash = /"hook-([0-9a-f]{16})"/.exec(bundle)?.[1];
  const parts = hash === undefined ? [] : [`hook-${hash}.js`, `hook-${hash}.verifier.js`];
  const launcher = findText(join(dist, "launch")) ?? "";
  const start = (findText(join(dist, "start.cjs")) ?? "").replaceAll("\n", "");
  const node = /^built_with='([^']+)'$/m.exec(launcher)?.[1];
  return {
    dist,
    missing: [...NEEDED, ...parts].filter((name) => !isFile(join(dist, name))),
    hash,
    contentHash: hashContent(parts.map((name) => join(dist, name))),
    launcherFits: start !== "" && launcher.includes(`'${start.replaceAll("'", "'\\''")}'`),
    launcherNode: node,
  };
}

/** Whether a file may be run by this account. */
export function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}

/** As the build does; undefined where a part is not there, or no part is known. */
function hashContent(parts: readonly string[]): string | undefined {
  const texts = parts.map(findText);
  if (texts.length === 0 || texts.includes(undefined)) return undefined;
  return createHash("sha256").update(texts.join("")).digest("hex").slice(0, 16);
}

function findText(path: string): string | undefined {
  try {
    return findSmallText(path, MAX_BYTES);
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
