import { noSettings, parseSettings, type FileSettings } from "../settings.ts";
import { errorCode } from "./error-code.ts";
import { readSmallFile } from "./read-small-file.ts";

/** Larger is not a settings file, and would be read at every turn. */
const MAX_BYTES = 1024 * 1024;

export interface HookFileSettings {
  readonly settings: FileSettings;
  /** One line for stderr: the file is broken and the defaults are used. */
  readonly warning?: string;
}

/** The settings of hooks. An absent file gives the defaults, a broken one gives them and a warning. Never throws. */
export function readHookSettings(path: string): HookFileSettings {
  const file = readSettingsText(path);
  const parsed = file.ok ? parseSettings(file.text) : file;
  if (parsed.ok) return { settings: parsed.settings };
  return { settings: noSettings, warning: `${parsed.reason} (${path}); using the defaults until it is corrected` };
}

export type SettingsText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** The text of the settings file; where there is none, the text of empty settings. Never throws, never waits. */
export function readSettingsText(path: string): SettingsText {
  try {
    const file = readSmallFile(path, MAX_BYTES);
    if (file.is === "other") return { ok: false, reason: file.reason };
    return { ok: true, text: file.is === "nothing" ? "{}" : file.bytes.toString("utf8") };
  } catch (error) {
    return { ok: false, reason: `expected a file that can be read, got ${errorCode(error) ?? String(error)}` };
  }
}
