import type { Complaints } from "../health/complaints.ts";
import type { JudgeEvent } from "../events.ts";
import type { JudgeSettings, JudgeSettingsResult } from "../settings.ts";

/** The settings of this moment. */
export interface SettingsHolder {
  readonly get: () => JudgeSettings;
  /** Takes on what was read again. A broken file changes nothing and is complained of each time. */
  apply(read: JudgeSettingsResult): void;
}

export function holdSettings(
  first: JudgeSettings,
  emit: (event: JudgeEvent) => void,
  complaints: Complaints,
): SettingsHolder {
  let settings = first;
  return {
    get: () => settings,
    apply(read) {
      const before = settings;
      if (read.ok) settings = read.settings;
      complaints.worked("reading the settings");
      if (!read.ok) complaints.failed("reading the settings", `${read.reason}; the old settings stay`);
      emit({ event: "watcher:reloaded", changes: describeChanges(before, settings) });
      for (const message of read.ok ? read.notes : []) emit({ event: "watcher:note", message });
    },
  };
}

/** "concurrency: 2, now 4", by the names of the settings file. What is no plain value is only named: it may hold anything. */
function describeChanges(before: JudgeSettings, after: JudgeSettings): string[] {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).flatMap(([key, value]: [string, unknown]) => {
    const [was, is] = [JSON.stringify(old.get(key)), JSON.stringify(value)];
    if (was === is) return [];
    const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [typeof value === "object" ? `${name} changed` : `${name}: ${was}, now ${is}`];
  });
}
