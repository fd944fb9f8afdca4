import { join } from "node:path";
import { findNodeAtLocation } from "jsonc-parser";
import type { Env } from "../../lib/io/paths.ts";
import { findSmallText } from "../../lib/io/read-small-file.ts";
import { Failure } from "../failure.ts";
import { isThere, readFacts } from "../setup/client-folder.ts";
import { clients, type Client, type SettingsPlan } from "../setup/clients.ts";
import { hasHooksOff } from "../setup/codex-notify.ts";
import { mentionsUs } from "../setup/hook-entries.ts";
import { findLoosePlace, parseObject } from "../setup/json-text.ts";
import { readLinkState } from "../setup/links.ts";
import { findOriginal, readPlanned } from "../setup/plan-client.ts";
import { getClientPlaces } from "../setup/places.ts";
import { findHookProblem } from "../setup/self-test.ts";
import type { ClientFacts, FileFacts } from "./checks/clients.ts";
import { readBuild } from "./read-build.ts";

/** Where an administrator may switch off all hooks but the organisation's (Claude Code's documentation of managed settings). */
const MANAGED = [
  "/etc/claude-code/managed-settings.json",
  "/Library/Application Support/ClaudeCode/managed-settings.json",
] as const;

const MAX_SETTINGS_BYTES = 16 * 1024 * 1024;

/** Every client, as it stands. A client that is there and has our hooks gets one made-up turn, which runs the hook and nothing else. */
export function readClients(env: Env, dist: string, managed: readonly string[] = MANAGED): Promise<ClientFacts[]> {
  return Promise.all(clients.map((client) => readClient(client, env, dist, managed)));
}

async function readClient(client: Client, env: Env, dist: string, managed: readonly string[]): Promise<ClientFacts> {
  const { name, title } = client;
  const absent = {
    name,
    title,
    isThere: false,
    files: [],
    link: null,
    off: null,
    plugin: false,
    hook: null,
    notes: [],
  };
  if (!isThere(client, env)) return absent;
  const { folder, hook } = getClientPlaces(client, env, dist);
  try {
    const facts = readFacts(client, env);
    const files = client.selectPlans(facts).map((plan) => readFile(plan, join(folder, plan.name)));
    const isInstalled = files.some(({ mentions }) => mentions);
    return {
      name,
      title,
      isThere: true,
      files,
      link: readLink(hook.link, hook.target),
      off: findOff(client, folder, facts.config, managed),
      plugin: name === "claude" && hasPlugin(folder),
      hook: isInstalled ? { problem: (await findHookProblem(client, env)) ?? null } : null,
      notes: isInstalled ? client.getNotes(facts) : [],
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const file = { path: folder, mentions: false, pending: [], refusal: error.message };
    return { ...absent, isThere: true, files: [file] };
  }
}

/** What an install would change in a file: nothing where all is as it should be. */
function readFile(plan: SettingsPlan, path: string): FileFacts {
  try {
    const file = readPlanned(plan, path);
    const pending = plan.add(file.text, path, findOriginal(file)).what;
    return { path, mentions: mentionsUs(file.text ?? ""), pending, refusal: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { path, mentions: mentionsUs(findText(path) ?? ""), pending: [], refusal: error.message };
  }
}

function readLink(path: string, target: string): ClientFacts["link"] {
  const state = readLinkState(path, target);
  return { path, state, hash: state === "other" ? (readBuild(path).hash ?? null) : null };
}

/** What keeps every hook of the client from running, and where it stands. */
function findOff(client: Client, folder: string, config: string, managed: readonly string[]): string | null {
  if (client.name === "codex") return hasHooksOff(config) ? `hooks = false in ${join(folder, "config.toml")}` : null;
  if (client.name !== "claude") return null;
  const own = join(folder, "settings.json");
  if (isSet(own, "disableAllHooks")) return `disableAllHooks in ${own}`;
  const loose = findLoosePlace({ text: config.replace(/^\uFEFF/, ""), path: own });
  if (loose !== undefined) return `${loose}, with which it does not read the file`;
  const [key, path] =
    managed
      .flatMap((path) => (["disableAllHooks", "allowManagedHooksOnly"] as const).map((key) => [key, path] as const))
      .find(([key, path]) => isSet(path, key)) ?? [];
  return key === undefined ? null : `${key} in ${path}, which an administrator wrote`;
}

function isSet(path: string, key: string): boolean {
  try {
    return (
      findNodeAtLocation(parseObject({ text: (findText(path) ?? "{}").replace(/^\uFEFF/, ""), path }, "comments"), [
        key,
      ])?.value === true
    );
  } catch {
    return false;
  }
}

/** The client's own list of plugins names us. */
function hasPlugin(folder: string): boolean {
  return (findText(join(folder, "plugins", "installed_plugins.json")) ?? "").includes('"catstack@');
}

function findText(path: string): string | undefined {
  try {
    return findSmallText(path, MAX_SETTINGS_BYTES);
  } catch {
    return undefined;
  }
}
