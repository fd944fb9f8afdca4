import { readdirSync, statSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { getHome } from "../../lib/io/paths.ts";
import type { Env } from "../../lib/io/paths.ts";

/** The places that `install` and `uninstall` touch, absolute. */
export interface Places {
  /** Our built files. */
  readonly dist: string;
  /** Claude Code's settings file. */
  readonly settings: string;
  /** The link that the settings' command goes through. */
  readonly hookLink: string;
  readonly command: string;
  /** The link that makes `catstack` a command. */
  readonly commandLink: string;
  /** Whether the shell would find that link. */
  readonly commandLinkIsUseful: boolean;
  /** Sorted by name. */
  readonly skills: readonly SkillPlace[];
}

/** A skill of ours, and the link through which Claude Code finds it. */
export interface SkillPlace {
  readonly folder: string;
  readonly link: string;
}

/** Claude Code's folder is `CLAUDE_CONFIG_DIR`, else `~/.claude`; the command belongs in `~/.local/bin`, if that is a folder on PATH. */
export function getPlaces(env: Env, dist: string): Places {
  const claude = resolve(env["CLAUDE_CONFIG_DIR"] || join(getHome(env), ".claude"));
  const bin = join(getHome(env), ".local", "bin");
  const onPath = (env["PATH"] ?? "").split(delimiter).includes(bin);
  return {
    dist,
    settings: join(claude, "settings.json"),
    hookLink: join(claude, "hooks", "catstack"),
    command: join(dist, "catstack.mjs"),
    commandLink: join(bin, "catstack"),
    commandLinkIsUseful: onPath && isFolder(bin),
    skills: listNames(join(dist, "skills")).map((name) => ({
      folder: join(dist, "skills", name),
      link: join(claude, "skills", name),
    })),
  };
}

/** The folder of the built files: the bundle's own, or `dist/` of the checkout when run from source. */
export function getDistDir(moduleUrl: string): string {
  const path = fileURLToPath(moduleUrl);
  return path.endsWith("catstack.mjs") ? dirname(path) : resolve(dirname(path), "..", "dist");
}

function listNames(folder: string): readonly string[] {
  return isFolder(folder) ? readdirSync(folder).sort() : [];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
