import { parse } from "smol-toml";
import { isRecord } from "../../inbox-schema/describe.ts";

/** What codex is told of the user's own config.toml, which `--ignore-user-config` hides from it. */
export interface CodexProvider {
  /** `-c key=value` pairs. */
  readonly args: readonly string[];
  /** The variable that holds the provider's API key. */
  readonly envKey?: string;
  /** Why nothing could be taken over. */
  readonly note?: string;
}

export const noProvider: CodexProvider = { args: [] };

/** Strings only, and none that names a command. Codex refuses to start over a provider without a name. */
const PROVIDER_KEYS = ["base_url", "wire_api", "env_key"];

/**
 * Takes the model and its provider from the text of a config.toml. Nothing else of the file is looked at.
 * Broken TOML gives no arguments and a note.
 */
export function parseCodexProvider(toml: string): CodexProvider {
  let config: unknown;
  try {
    config = parse(toml, { integersAsBigInt: true });
  } catch (error) {
    const [complaint = ""] = String(error).split("\n");
    return {
      args: [],
      note: `expected TOML, got a ${complaint}; codex is asked without the user's model and provider`,
    };
  }
  if (!isRecord(config)) return noProvider;
  const { model, model_provider: id } = config;
  const args = [...setting("model", model), ...setting("model_provider", id)];
  const provider = findProvider(config["model_providers"], id);
  if (provider === undefined) return { args };
  const { env_key: envKey } = provider.table;
  return {
    args: [...args, ...getProviderArgs(provider)],
    ...(isVariableName(envKey) && { envKey }),
  };
}

interface NamedProvider {
  readonly id: string;
  readonly table: Record<string, unknown>;
}

/** `-c` splits its key at every dot: another id cannot be said there, and codex then stops at a provider it does not know. */
function findProvider(providers: unknown, id: unknown): NamedProvider | undefined {
  if (typeof id !== "string" || !/^[\w-]+$/.test(id)) return undefined;
  const table = isRecord(providers) ? providers[id] : undefined;
  return isRecord(table) ? { id, table } : undefined;
}

function getProviderArgs({ id, table }: NamedProvider): string[] {
  const args = PROVIDER_KEYS.flatMap((key) => setting(`model_providers.${id}.${key}`, table[key]));
  if (args.length === 0) return [];
  const { name } = table;
  const shown = typeof name === "string" && name.trim() !== "" ? name : id;
  return [...setting(`model_providers.${id}.name`, shown), ...args];
}

function setting(key: string, value: unknown): string[] {
  return typeof value === "string" ? ["-c", `${key}=${toTomlString(value)}`] : [];
}

/** A JSON string is a TOML basic string, but for DEL, which TOML wants escaped. */
function toTomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007F", String.raw`\u007F`);
}

function isVariableName(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z_]\w*$/.test(value);
}
