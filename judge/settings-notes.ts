import { settingsKeys, type Settings } from "../inbox-schema/settings.ts";
import { cutText } from "../lib/cut-text.ts";
import { suggestNearest } from "../lib/nearest.ts";

const MAX_SHOWN_KEY = 64;

/**
 * What in the settings means nothing and was hardly meant so, a line each: "unknown key judge.jobs_per_huor; did you mean jobs_per_hour?".
 * Whether a hook is known can only be told with the ids of all. Pure.
 */
export function listSettingsNotes(settings: Settings, hookIds?: readonly string[]): string[] {
  const { hooks = {}, judge = {} } = settings;
  return [
    ...(hookIds === undefined ? [] : listUnknownHooks(Object.keys(hooks), hookIds)),
    ...listUnknownKeys("", settings, settingsKeys.file),
    ...Object.entries(hooks).flatMap(([id, hook]) => listUnknownKeys(`hooks.${cut(id)}.`, hook, settingsKeys.hook)),
    ...listUnknownKeys("judge.", judge, settingsKeys.judge),
    ...listUnknownKeys("judge.runners.", judge.runners ?? {}, settingsKeys.runners),
  ];
}

/** It may be one of a newer version. */
function listUnknownHooks(ids: readonly string[], known: readonly string[]): string[] {
  return selectUnknown(ids, known).map((id) => {
    return `unknown hook ${id}${suggestNearest(id, known) || `; this version has ${known.join(", ")}`}`;
  });
}

function listUnknownKeys(prefix: string, value: object, known: readonly string[]): string[] {
  return selectUnknown(Object.keys(value), known).map((key) => {
    return `unknown key ${prefix}${key}${suggestNearest(key, known)}`;
  });
}

function selectUnknown(words: readonly string[], known: readonly string[]): string[] {
  return words.filter((word) => !known.includes(word)).map(cut);
}

function cut(key: string): string {
  return cutText(key, MAX_SHOWN_KEY);
}
