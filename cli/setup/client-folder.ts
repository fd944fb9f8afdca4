import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { Env } from "../../lib/io/paths.ts";
import { findSmallText } from "../../lib/io/read-small-file.ts";
import { Failure, UsageError } from "../failure.ts";
import { clients } from "./clients.ts";
import type { Client, ClientFacts } from "./clients.ts";
import { findProgram } from "./find-program.ts";
import { readSettingsFile } from "./settings-file.ts";

/** Whether the client is there: its folder is, or is named by its variable, or its command is on PATH. */
export function isThere(client: Client, env: Env): boolean {
  return isNamed(client, env) || existsSync(client.getFolder(env)) || findCommand(client, env) !== undefined;
}

/** Whether there may be anything to take out: the client's folder is one, or is named by its variable. */
export function hasFolder(client: Client, env: Env): boolean {
  const folder = client.getFolder(env);
  return isNamed(client, env) || (existsSync(folder) && statSync(folder).isDirectory());
}

function isNamed({ variable }: Client, env: Env): boolean {
  return variable !== undefined && Boolean(env[variable]);
}

/** Throws a Failure where the path to the client's folder is relative: hooks run in other folders, and would look elsewhere. */
export function expectAbsolute({ variable }: Client, env: Env): void {
  const name = variable !== undefined && env[variable] ? variable : "HOME";
  const path = env[name] || "/";
  if (isAbsolute(path)) return;
  throw new Failure(
    `expected ${name} to be an absolute path, got "${path}", which a hook would look for where it runs; correct it and run this again`,
  );
}

/** The clients that `--only` names, by a list with commas; each of them without it. Throws a UsageError for an unknown name. */
export function selectClients(only: string | undefined): readonly Client[] {
  if (only === undefined) return clients;
  const names = only.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !clients.some((client) => client.name === name));
  if (unknown === undefined) return clients.filter(({ name }) => names.includes(name));
  const known = clients.map(({ name }) => name).join(", ");
  throw new UsageError(`expected --only to name some of ${known} with commas between them, got "${unknown}"`);
}

/** What is to be known of a client before its files are changed. Throws a Failure for a file that cannot be read. */
export function readFacts(client: Client, env: Env): ClientFacts {
  const config = readSettingsFile(join(client.getFolder(env), client.config)).text ?? "";
  return { config, version: readVersion(client, env) };
}

/** The version that the command's npm package tells; undefined for a command that comes another way. Nothing is run. */
function readVersion(client: Client, env: Env): string | undefined {
  const command = findCommand(client, env);
  if (command === undefined || client.npmPackage === undefined) return undefined;
  return findPackageVersion(dirname(realpathSync(command)), client.npmPackage);
}

/** Packages of other names are passed by: the command may be linked into one. */
function findPackageVersion(folder: string, name: string): string | undefined {
  const version = readPackageVersion(join(folder, "package.json"), name);
  if (version !== undefined || dirname(folder) === folder) return version;
  return findPackageVersion(dirname(folder), name);
}

function readPackageVersion(path: string, name: string): string | undefined {
  try {
    const found: unknown = JSON.parse(findSmallText(path) ?? "");
    if (typeof found !== "object" || found === null || !("name" in found) || found.name !== name) return undefined;
    return "version" in found && typeof found.version === "string" ? found.version : undefined;
  } catch {
    return undefined;
  }
}

function findCommand({ programs }: Client, env: Env): string | undefined {
  return programs.map((name) => findProgram(name, env)).find((path) => path !== undefined);
}
