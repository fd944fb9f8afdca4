import { parseArgs } from "node:util";
import { getStatePaths } from "../lib/io/paths.ts";
import type { CliIo } from "./io.ts";
import { removeEntries } from "./setup/claude-settings.ts";
import { readLinkState, removeLink } from "./setup/links.ts";
import { getDistDir, getPlaces } from "./setup/places.ts";
import type { Places } from "./setup/places.ts";
import { getBackupPath, readSettingsFile, replaceSettings } from "./setup/settings-file.ts";
import { runSteps } from "./setup/step.ts";
import type { Step } from "./setup/step.ts";

/** `catstack uninstall`: takes out what `install` put in and nothing else. Jobs, verdicts and settings of ours stay on disk. */
export async function uninstall(args: readonly string[], io: CliIo): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { "dry-run": { type: "boolean", default: false } } });
  const places = getPlaces(io.env, getDistDir(import.meta.url));
  const { hookLink, dist, commandLink, command } = places;
  const steps = [...planSettings(places), planLink(hookLink, dist), planLink(commandLink, command)];
  runSteps(steps, values["dry-run"], io);
  if (!values["dry-run"]) io.out(`\nJobs and verdicts were kept: ${getStatePaths(io.env).root}`);
  return 0;
}

function planSettings({ settings }: Places): Step[] {
  const file = readSettingsFile(settings);
  if (file.text === undefined) return [{ word: "ok", text: `${settings} does not exist` }];
  const change = removeEntries(file.text, settings);
  if (change.events.length === 0) return [{ word: "ok", text: `${settings} holds nothing of ours` }];
  const left = change.text.trim() === "{}" ? " (an empty file stays)" : "";
  return [
    { word: "backup", text: getBackupPath(file) },
    {
      word: "remove",
      text: `${settings}: ${change.events.join(", ")}${left}`,
      run: () => replaceSettings(file, change.text),
    },
  ];
}

function planLink(path: string, target: string): Step {
  const state = readLinkState(path, target);
  if (state === "absent") return { word: "ok", text: `${path} does not exist` };
  if (state === "foreign") return { word: "skip", text: `${path} is not ours` };
  return { word: "remove", text: path, run: () => removeLink(path) };
}
