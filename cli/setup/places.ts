import { readdirSync, statSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { getHome } from "../../lib/io/paths.ts";
import type { Env } from "../../lib/io/paths.ts";
import type { Client } from "./clients.ts";
import { LINK } from "./launcher.ts";

/** The places of `catstack` itself, absolute. */
export interface Places {
  /** Our built files. */
  readonly dist: string;
  readonly command: string;
  /** The link that makes `catstack` a command. */
  readonly commandLink: string;
  /** Whether the shell would find that link. */
  readonly commandLinkIsUseful: boolean;
}

/** A link that an install makes. */
export interface LinkPlace {
  readonly link: string;
  readonly target: string;
}

/** The places in a client's folder that `install` and `uninstall` touch beside its settings, absolute. */
export interface ClientPlaces {
  readonly folder: string;
  /** What the settings' command goes through. */
  readonly hook: LinkPlace;
  /** Skills of ours, sorted by name. */
  readonly skills: readonly LinkPlace[];
}

/** The command belongs in `~/.local/bin`, if that is a folder on PATH. */
export function getPlaces(env: Env, dist: string): Places {
  const bin = join(getHome(env), ".local", "bin");
  const onPath = (env["PATH"] ?? "").split(delimiter).includes(bin);
  return {
    dist,
    command: join(dist, "catstack.mjs"),
    commandLink: join(bin, "catstack"),
    commandLinkIsUseful: onPath && isFolder(bin),
  };
}

/** Only Claude Code is given the skills: their texts speak of it. */
export function getClientPlaces(client: Client, env: Env, dist: string): ClientPlaces {
  const folder = client.getFolder(env);
  const skills = client.name === "claude" ? listNames(join(dist, "skills")) : [];
  return {
    folder,
    hook: { link: join(folder, LINK), target: dist },
    skills: skills.map((name) => ({ link: join(folder, "skills", name), target: join(dist, "skills", name) })),
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
