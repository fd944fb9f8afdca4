import { basename, dirname, join } from "node:path";
import type { Env } from "../../lib/io/paths.ts";
import { expectAbsolute } from "./client-folder.ts";
import type { Client, SettingsPlan } from "./clients.ts";
import { diffLines } from "./diff.ts";
import { canHold, readLinkState, removeLink } from "./links.ts";
import { isMadeFolder, removeMadeFolder } from "./made-folder.ts";
import { findOriginal, listFolders, readPlanned } from "./plan-client.ts";
import { getClientPlaces } from "./places.ts";
import type { LinkPlace } from "./places.ts";
import {
  expectWritable,
  expectWritableFolder,
  getBackupPath,
  getContent,
  readBackup,
  removeBackup,
  removeSettings,
  replaceSettings,
} from "./settings-file.ts";
import type { SettingsFile } from "./settings-file.ts";
import type { Step } from "./step.ts";
import { listAbandoned, planCleaning } from "./temporary.ts";

/** What an uninstall does for one client. Throws a Failure where something of it cannot be done: then none of it is. */
export function planClientUninstall(client: Client, env: Env, dist: string): Step[] {
  expectAbsolute(client, env);
  const places = getClientPlaces(client, env, dist);
  const files = listFiles(client, places.folder);
  const folders = listFolders(
    places,
    files.map(({ file }) => file),
  );
  const links = [places.hook, ...places.skills];
  const removals = files.map(({ plan, file }) => planFile(plan, file));
  const left = listAbandoned(folders);
  const going = [...left, ...links.map(({ link }) => link), ...removals.flatMap(({ removed }) => removed)];
  return [
    ...removals.flatMap(({ steps }) => steps),
    ...links.map(planLink),
    ...planCleaning(folders),
    ...planFolders(folders, going),
  ];
}

/** Where the copies of a client's settings would be. */
export function listBackups(client: Client, env: Env): string[] {
  return listFiles(client, client.getFolder(env)).map(({ file }) => getBackupPath(file));
}

/** All that may hold something of ours, whatever the client is set to: to take out is the same then. */
function listFiles(client: Client, folder: string): { readonly plan: SettingsPlan; readonly file: SettingsFile }[] {
  const plans = client.selectPlans({ config: "", version: undefined });
  return plans.map((plan) => ({ plan, file: readPlanned(plan, join(folder, plan.name)) }));
}

interface FileRemoval {
  readonly steps: readonly Step[];
  /** What is gone once they have run. */
  readonly removed: readonly string[];
}

function planFile(plan: SettingsPlan, file: SettingsFile): FileRemoval {
  const { path } = file;
  if (file.text === undefined) return withBackup(file, undefined, [{ word: "ok", text: `${path} does not exist` }]);
  const { text, what } = plan.remove(file.text, path, findOriginal(file));
  if (what.length === 0)
    return withBackup(file, getContent(file, file.text), [{ word: "ok", text: `${path} holds nothing of ours` }]);
  expectWritable(file);
  const diff = diffLines(file.text, text ?? "");
  if (text === undefined) {
    const step: Step = {
      word: "remove",
      text: `${path}: an install made it, and nothing else is in it`,
      diff,
      run: () => removeSettings(file),
    };
    const { steps, removed } = withBackup(file, undefined, [step]);
    return { steps, removed: [file.target, ...removed] };
  }
  const step: Step = {
    word: "remove",
    text: `${path}: ${what.join(", ")}`,
    diff,
    run: () => replaceSettings(file, text),
  };
  return withBackup(file, getContent(file, text), [step]);
}

/** The copy from before the install goes when the settings are the same again; else the person may want to look at it. */
function withBackup(file: SettingsFile, content: string | undefined, steps: readonly Step[]): FileRemoval {
  const path = getBackupPath(file);
  const backup = readBackup(file);
  if (backup === undefined) return { steps, removed: [] };
  if (backup === null)
    return { steps: [...steps, { word: "remove", text: path, run: () => removeBackup(file) }], removed: [path] };
  if (backup !== content)
    return { steps: [...steps, { word: "keep", text: `${path}: the settings differ from it` }], removed: [] };
  const step: Step = { word: "remove", text: `${path}: the settings equal it`, run: () => removeBackup(file) };
  return { steps: [...steps, step], removed: [path] };
}

/** Takes out a link of ours, never what it leads to. Throws a Failure where that is not allowed. */
export function planLink({ link, target }: LinkPlace): Step {
  const state = canHold(dirname(link)) ? readLinkState(link, target) : "absent";
  if (state === "absent") return { word: "ok", text: `${link} does not exist` };
  if (state === "foreign") return { word: "skip", text: `${link} is not ours` };
  expectWritableFolder(link, dirname(link));
  return { word: "remove", text: link, run: () => removeLink(link) };
}

/** The folders that an install made and that are empty once `going` are gone. */
function planFolders(folders: readonly string[], going: readonly string[]): Step[] {
  const gone = [...going];
  const steps: Step[] = [];
  for (const folder of folders) {
    const names = gone.filter((path) => dirname(path) === folder).map((path) => basename(path));
    if (!isMadeFolder(folder, names)) continue;
    gone.push(folder);
    steps.push({
      word: "remove",
      text: `${folder}: an install made it, and it is empty`,
      run: () => removeMadeFolder(folder),
    });
  }
  return steps;
}
