import type { HookMode } from "./hook.ts";

/** What hooks take from the settings file. Everything else in it is the judge's and is not looked at. */
export interface FileSettings {
  /** The modes it sets, by hook id. */
  readonly modes: ReadonlyMap<string, HookMode>;
}

export type ParsedFileSettings =
  | { readonly ok: true; readonly settings: FileSettings }
  | { readonly ok: false; readonly reason: string };

/** The environment variables of a process; tests pass their own. */
type Variables = Readonly<Record<string, string | undefined>>;

/** Settings of a person who has no file. */
export const noSettings: FileSettings = { modes: new Map() };

/**
 * Reads the settings file's text by hand: a hook has no time to load a validator. Never throws.
 * Agrees with inbox-schema/settings.ts on the key `hooks`; one wrong mode refuses the whole file.
 */
export function parseSettings(text: string): ParsedFileSettings {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    return { ok: false, reason: `expected JSON without comments, got a ${oneLine(String(error))}` };
  }
  if (!isRecord(value)) return refuse("the file", "one JSON object", value);
  const { hooks } = value;
  if (hooks === undefined) return { ok: true, settings: noSettings };
  return isRecord(hooks) ? parseHooks(hooks) : refuse("`hooks`", "an object of hook ids", hooks);
}

function parseHooks(hooks: Record<string, unknown>): ParsedFileSettings {
  const modes = new Map<string, HookMode>();
  for (const [id, hook] of Object.entries(hooks)) {
    // As the schema does: this key is never a hook's.
    if (id === "__proto__") continue;
    if (!isRecord(hook)) return refuse(`\`hooks.${id}\``, "an object", hook);
    const { mode } = hook;
    if (mode === undefined) continue;
    if (!isMode(mode)) return refuse(`\`hooks.${id}.mode\``, '"off", "observe" or "advise"', mode);
    modes.set(id, mode);
  }
  return { ok: true, settings: { modes } };
}

/** A hook's mode and where a wrong value came from, as one line for stderr. */
export interface ChosenMode {
  readonly mode: HookMode;
  readonly warning?: string;
}

/** The variable that sets one hook's mode. */
export function getModeVariable(hookId: string): string {
  return `CATSTACK_HOOK_MODE_${hookId.toUpperCase().replaceAll("-", "_")}`;
}

/** The environment's mode, else the file's, else the hook's own default. */
export function getHookMode(hookId: string, defaultMode: HookMode, env: Variables, settings: FileSettings): ChosenMode {
  const name = getModeVariable(hookId);
  const wanted = getWord(env[name]);
  if (isMode(wanted)) return { mode: wanted };
  const mode = settings.modes.get(hookId) ?? defaultMode;
  if (wanted === "") return { mode };
  return { mode, warning: `expected ${name} to be off, observe or advise, got ${show(env[name])}; using ${mode}` };
}

/** `CATSTACK=off`: no hook does anything. */
export function isKilled(env: Variables): boolean {
  return getWord(env["CATSTACK"]) === "off";
}

/** The process was started by a runner of the judge: a hook that spoke or asked here would judge the judge. */
export function isJudgeChild(env: Variables): boolean {
  const value = env["CATSTACK_LLM_JUDGE_CHILD"] ?? "";
  return value !== "" && value !== "0";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isMode(value: unknown): value is HookMode {
  return value === "off" || value === "observe" || value === "advise";
}

/** People write `Off` and leave a space; neither is a reason to go on speaking. */
function getWord(value: string | undefined): string {
  return (value ?? "").trim().toLowerCase();
}

function refuse(what: string, expected: string, got: unknown): ParsedFileSettings {
  return { ok: false, reason: `expected ${oneLine(what)} to be ${expected}, got ${show(got)}` };
}

function show(value: unknown): string {
  if (typeof value === "object") return value === null ? "null" : Array.isArray(value) ? "an array" : "an object";
  return `${oneLine(JSON.stringify(value))} (${typeof value})`;
}

/** At most 100 characters, none of which starts a line or moves a cursor. */
function oneLine(text: string): string {
  return text.slice(0, 100).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
}
