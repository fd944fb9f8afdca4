import { basename, dirname, join } from "node:path";
import type { Env } from "../../lib/io/paths.ts";
import { readFacts } from "./client-folder.ts";
import type { Client, SettingsPlan } from "./clients.ts";
import { diffLines } from "./diff.ts";
import { canHold, readLinkState, removeLink } from "./links.ts";
import { isMadeFolder, removeMadeFolder } from "./made-folder.ts";
import { findOriginal, readPlanned } from "./plan-client.ts";
import { getClientPlaces } from "./places.ts";
import type { LinkPlace } from "./places.ts";
import {
  expectWritable,
  getBackupPath,
  getContent,
  readBackup,
  removeBackup,
  removeSettings,
  replaceSettings,
} from "./settings-file.ts";
import type { SettingsFile } from "./settings-file.ts";
import type { Step } from "./step.ts";

/** What an uninstall does for one client. Throws a Failure where something of it cannot be done: then none of it is. */
export function planClientUninstall(client: Client, env: Env, dist: string): Step[] {
  const places = getClientPlaces(client, env, dist);
  const plans = client.selectPlans(readFacts(client, env));
  const links = [places.hook, ...places.skills];
  const files = plans.map((plan) => planFile(plan, join(places.folder, plan.name)));
  const going = [...links.map(({ link }) => link), ...files.flatMap((file) => file.removed)];
  return [...files.flatMap(({ steps }) => steps), ...links.map(planLink), ...planFolders(places.folder, links, going)];
}

/** Where the copies of a client's settings would be. */
export function listBackups(client: Client, env: Env): string[] {
  const folder = client.getFolder(env);
  const plans = client.selectPlans(readFacts(client, env));
  return plans.map((plan) => getBackupPath(readPlanned(plan, join(folder, plan.name))));
}

interface FileRemoval {
  readonly steps: readonly Step[];
  /** What is gone once they have run. */
  readonly removed: readonly string[];
}

function planFile(plan: SettingsPlan, path: string): FileRemoval {
  const file = readPlanned(plan, path);
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
    return { ...withBackup(file, undefined, [step]), removed: [file.target] };
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
  if (backup !== content)
    return { steps: [...steps, { word: "keep", text: `${path}: the settings differ from it` }], removed: [] };
  const step: Step = { word: "remove", text: `${path}: the settings equal it`, run: () => removeBackup(file) };
  return { steps: [...steps, step], removed: [path] };
}

/** Takes out a link of ours, never what it leads to. */
export function planLink({ link, target }: LinkPlace): Step {
  const state = canHold(dirname(link)) ? readLinkState(link, target) : "absent";
  if (state === "absent") return { word: "ok", text: `${link} does not exist` };
  if (state === "foreign") return { word: "skip", text: `${link} is not ours` };
  return { word: "remove", text: link, run: () => removeLink(link) };
}

/** The folders that an install made and that are empty once `going` are gone, the inner ones first. */
function planFolders(client: string, links: readonly LinkPlace[], going: readonly string[]): Step[] {
  const inner = [...new Set(links.map(({ link }) => dirname(link)))];
  const gone = [...going];
  const steps: Step[] = [];
  for (const folder of [...inner, client]) {
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
