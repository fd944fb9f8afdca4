import { dirname, join } from "node:path";
import type { Env } from "../../lib/io/paths.ts";
import { Failure } from "../failure.ts";
import { readFacts } from "./client-folder.ts";
import type { Client, SettingsPlan } from "./clients.ts";
import { diffLines } from "./diff.ts";
import { mentionsUs } from "./hook-entries.ts";
import { canHold, readLinkState, replaceLink } from "./links.ts";
import { getClientPlaces } from "./places.ts";
import type { ClientPlaces, LinkPlace } from "./places.ts";
import {
  expectWritable,
  getBackupPath,
  readBackup,
  readSettingsFile,
  removeSettings,
  replaceSettings,
  writeBackup,
} from "./settings-file.ts";
import type { SettingsFile } from "./settings-file.ts";
import type { Step } from "./step.ts";

/**
 * What an install does for one client: everything is looked at, nothing is written. Throws a Failure where something of it cannot be done: then none of it
 * is.
 */
export function planClientInstall(client: Client, env: Env, dist: string): Step[] {
  const places = getClientPlaces(client, env, dist);
  const plans = client.selectPlans(readFacts(client, env));
  return [
    planHookLink(places),
    ...plans.flatMap((plan) => planFile(plan, places)),
    ...places.skills.map(planSkillLink),
  ];
}

function planHookLink({ hook: { link, target } }: ClientPlaces): Step {
  if (!canHold(dirname(link)))
    throw new Failure(`${dirname(link)}: expected a folder, got something else; move it away and run this again`);
  const state = readLinkState(link, target);
  if (state === "foreign") {
    throw new Failure(
      `${link}: expected nothing or a link of ours, got something else; move it away and run this again`,
    );
  }
  if (state === "ours") return { word: "ok", text: link };
  return { word: "link", text: `${link} -> ${target}`, run: () => replaceLink(link, target) };
}

function planFile(plan: SettingsPlan, { folder }: ClientPlaces): Step[] {
  const path = join(folder, plan.name);
  const file = readPlanned(plan, path);
  const change = plan.add(file.text, path, findOriginal(file));
  if (change.what.length === 0) return file.text === undefined ? [] : [{ word: "ok", text: path }];
  expectWritable(file);
  const { text } = change;
  const step: Step = {
    word: change.what.every((each) => each.endsWith("(taken out)")) ? "remove" : "add",
    text: `${path}: ${change.what.join(", ")}`,
    diff: diffLines(file.text ?? "", text ?? ""),
    run: () => (text === undefined ? removeSettings(file) : replaceSettings(file, text)),
  };
  return needsBackup(file)
    ? [{ word: "backup", text: getBackupPath(file), run: () => writeBackup(file) }, step]
    : [step];
}

/** A file as the plan can work on it. Throws a Failure that names the place where it cannot. */
export function readPlanned(plan: SettingsPlan, path: string): SettingsFile {
  const file = readSettingsFile(path);
  if (file.bom && !plan.allowsBom)
    throw new Failure(
      `${path}:1:1: expected JSON, got a byte order mark, with which the client does not read it; save the file without one and run this again`,
    );
  return file;
}

/** The text from before our entries were there, as it was read; undefined where no copy tells it. */
export function findOriginal(file: SettingsFile): string | undefined {
  const backup = readBackup(file);
  return backup === undefined || mentionsUs(backup) ? undefined : backup.replace(/^\uFEFF/, "");
}

/** The copy is of the text as it was before our entries came, every time they come. */
function needsBackup(file: SettingsFile): boolean {
  return file.text !== undefined && !mentionsUs(file.text);
}

/** The hooks do without it: what is in the way stays, and is told. */
function planSkillLink({ link, target }: LinkPlace): Step {
  if (!canHold(dirname(link)))
    return { word: "skip", text: `${dirname(link)} is no folder; our skill is in ${target}` };
  const state = readLinkState(link, target);
  if (state === "foreign") return { word: "skip", text: `${link} is not ours; our skill is in ${target}` };
  if (state === "ours") return { word: "ok", text: link };
  return { word: "link", text: `${link} -> ${target}`, run: () => replaceLink(link, target) };
}
