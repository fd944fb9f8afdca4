import { unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import type { CliIo } from "./io.ts";
import { removeEntries } from "./setup/claude-settings.ts";
import { describeLeftovers } from "./setup/leftovers.ts";
import { canHold, readLinkState, removeLink } from "./setup/links.ts";
import { getDistDir, getPlaces } from "./setup/places.ts";
import { getBackupPath, getContent, readBackup, readSettingsFile, replaceSettings } from "./setup/settings-file.ts";
import type { SettingsFile } from "./setup/settings-file.ts";
import { runSteps } from "./setup/step.ts";
import type { Step } from "./setup/step.ts";

/** `catstack uninstall`: takes out what `install` put in and nothing else. Jobs, verdicts and settings of ours stay on disk. */
export async function uninstall(args: readonly string[], io: CliIo): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { "dry-run": { type: "boolean", default: false } } });
  const places = getPlaces(io.env, getDistDir(import.meta.url));
  const { hookLink, dist, commandLink, command, skills } = places;
  const file = readSettingsFile(places.settings);
  const links = [planLink(hookLink, dist), planLink(commandLink, command)];
  const steps = [...planSettings(file), ...links, ...skills.map(({ link, folder }) => planLink(link, folder))];
  runSteps(steps, values["dry-run"], io);
  if (values["dry-run"]) return 0;
  const lines = describeLeftovers(places, getBackupPath(file), io.env);
  if (lines.length > 0) io.out(`\n${lines.join("\n")}`);
  return 0;
}

function planSettings(file: SettingsFile): Step[] {
  const { path, text } = file;
  if (text === undefined) return [{ word: "ok", text: `${path} does not exist` }, ...planBackup(file, undefined)];
  const change = removeEntries(text, path);
  const backup = planBackup(file, getContent(file, change.text));
  if (change.events.length === 0) return [{ word: "ok", text: `${path} holds nothing of ours` }, ...backup];
  const left = change.text.trim() === "{}" ? " (an empty file stays)" : "";
  return [
    {
      word: "remove",
      text: `${path}: ${change.events.join(", ")}${left}`,
      run: () => replaceSettings(file, change.text),
    },
    ...backup,
  ];
}

/** The copy from before the install goes when the settings are the same again; else the person may want to look at it. */
function planBackup(file: SettingsFile, content: string | undefined): Step[] {
  const path = getBackupPath(file);
  const backup = readBackup(file);
  if (backup === undefined) return [];
  if (backup === content)
    return [{ word: "remove", text: `${path}: the settings equal it`, run: () => unlinkSync(path) }];
  return [{ word: "keep", text: `${path}: the settings differ from it` }];
}

function planLink(path: string, target: string): Step {
  const state = canHold(dirname(path)) ? readLinkState(path, target) : "absent";
  if (state === "absent") return { word: "ok", text: `${path} does not exist` };
  if (state === "foreign") return { word: "skip", text: `${path} is not ours` };
  return { word: "remove", text: path, run: () => removeLink(path) };
}
