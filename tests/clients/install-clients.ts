import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isRecord } from "../../inbox-schema/describe.ts";

/** The versions that gate: what the README tables say was seen with these. */
const PINNED = { claude: "2.1.197", codex: "0.171.0" };

/** The real clients, as programs of this machine. */
export interface Clients {
  readonly claude: string;
  readonly codex: string;
  /** Both versions, in words. */
  readonly versions: string;
}

export type Installed =
  | { readonly ok: true; readonly clients: Clients }
  | { readonly ok: false; readonly reason: string };

/**
 * Gives the clients, from npm if they are not in the cache yet: about 850 MB below `CATSTACK_CLIENTS_DIR`, else in `node_modules/.cache`.
 * Install scripts stay off. `CATSTACK_CLIENTS=newest` takes what npm calls the latest. Never throws.
 */
export function installClients(env: NodeJS.ProcessEnv): Installed {
  const cache =
    env["CATSTACK_CLIENTS_DIR"] || fileURLToPath(new URL("../../node_modules/.cache/clients", import.meta.url));
  const wanted = env["CATSTACK_CLIENTS"] === "newest" ? { claude: "latest", codex: "latest" } : PINNED;
  const folder = join(cache, `claude-${wanted.claude},codex-${wanted.codex}`);
  try {
    const isFresh = wanted === PINNED && findPrograms(folder) !== undefined;
    if (!isFresh) download(cache, folder, wanted);
    const programs = findPrograms(folder);
    if (programs === undefined) throw new Error(`npm installed no program for this machine below ${folder}`);
    return { ok: true, clients: { ...programs, versions: `${ask(programs.claude)}, ${ask(programs.codex)}` } };
  } catch (error) {
    return { ok: false, reason: String(error) };
  }
}

/** Into a folder beside, which is renamed when it is whole: two test files may do this at the same time. */
function download(cache: string, folder: string, { claude, codex }: typeof PINNED): void {
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, ".install-"));
  try {
    const packages = [`@anthropic-ai/claude-code@${claude}`, `@openai/codex@${codex}`];
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
    const { status, stderr, error } = spawnSync("npm", ["install", "--prefix", fresh, ...quiet, ...packages], {
      encoding: "utf8",
    });
    if (status !== 0) throw error ?? new Error(`npm cannot install ${packages.join(" and ")}: ${stderr.trim()}`);
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!(error instanceof Error && "code" in error && error.code === "ENOTEMPTY")) throw error;
  }
}

/** Both ship a native program in a package of the platform's own; which one is there was npm's choice. */
function findPrograms(folder: string): { claude: string; codex: string } | undefined {
  const modules = join(folder, "node_modules");
  const claude = list(join(modules, "@anthropic-ai")).map((name) => join(modules, "@anthropic-ai", name, "claude"));
  const codex = list(join(modules, "@openai")).flatMap((name) => {
    const vendor = join(modules, "@openai", name, "vendor");
    return list(vendor).map((platform) => join(vendor, platform, "bin", "codex"));
  });
  const found = { claude: claude.find(isProgram), codex: codex.find(isProgram) };
  return found.claude === undefined || found.codex === undefined
    ? undefined
    : { claude: found.claude, codex: found.codex };
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function ask(program: string): string {
  const home = mkdtempSync("/tmp/catstack-version-");
  const { stdout, error } = spawnSync(program, ["--version"], {
    encoding: "utf8",
    env: { PATH: "/usr/bin:/bin", HOME: home, DISABLE_AUTOUPDATER: "1" },
  });
  rmSync(home, { recursive: true, force: true });
  if (error !== undefined) throw error;
  return stdout.trim();
}

/** What another process has found. Throws on anything else. */
export function parseInstalled(json: string): Installed {
  const value: unknown = JSON.parse(json);
  if (isRecord(value) && typeof value["reason"] === "string") return { ok: false, reason: value["reason"] };
  const clients = isRecord(value) ? value["clients"] : undefined;
  if (isRecord(clients)) {
    const { claude, codex, versions } = clients;
    if (typeof claude === "string" && typeof codex === "string" && typeof versions === "string")
      return { ok: true, clients: { claude, codex, versions } };
  }
  throw new Error(`expected what installClients gives, got ${json}`);
}
