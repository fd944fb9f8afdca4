import { dirname, join } from "node:path";
import type { Env } from "../../lib/io/paths.ts";
import { Failure } from "../failure.ts";
import { expectAbsolute, readFacts } from "./client-folder.ts";
import type { Client, SettingsPlan } from "./clients.ts";
import { diffLines } from "./diff.ts";
import { mentionsUs } from "./hook-entries.ts";
import { canHold, describeLink, readLinkState, replaceLink } from "./links.ts";
import { listUpwards } from "./made-folder.ts";
import { getClientPlaces } from "./places.ts";
import type { ClientPlaces, LinkPlace } from "./places.ts";
import {
  canWriteInto,
  expectWritable,
  expectWritableFolder,
  getBackupPath,
  readBackup,
  readSettingsFile,
  removeSettings,
  replaceSettings,
  writeBackup,
} from "./settings-file.ts";
import type { SettingsFile } from "./settings-file.ts";
import type { Step } from "./step.ts";
import { planCleaning } from "./temporary.ts";

/**
 * What an install does for one client: everything is looked at, nothing is written. Throws a Failure where something of it cannot be done: then none of it
 * is.
 */
export function planClientInstall(client: Client, env: Env, dist: string): Step[] {
  expectAbsolute(client, env);
  const places = getClientPlaces(client, env, dist);
  if (!canHold(places.folder))
    throw new Failure(`${places.folder}: expected a folder, got something else; move it away and run this again`);
  const plans = client.selectPlans(readFacts(client, env));
  const files = plans.map((plan) => ({ plan, file: readPlanned(plan, join(places.folder, plan.name)) }));
  return [
    ...planCleaning(
      listFolders(
        places,
        files.map(({ file }) => file),
      ),
    ),
    planHookLink(places),
    ...files.flatMap(({ plan, file }) => planFile(plan, file)),
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
  expectWritableFolder(link, dirname(link));
  return { word: "link", text: describeLink(link, target), run: () => replaceLink(link, target) };
}

function planFile(plan: SettingsPlan, file: SettingsFile): Step[] {
  const { path } = file;
  const change = plan.add(file.text, path, findOriginal(file));
  if (change.what.length === 0) return file.text === undefined ? [] : [{ word: "ok", text: path }];
  expectWritable(file);
  const { text } = change;
  const replace = (): void => (text === undefined ? removeSettings(file) : replaceSettings(file, text));
  const step: Step = {
    word: change.what.every((each) => each.endsWith("(taken out)")) ? "remove" : "add",
    text: `${path}: ${change.what.join(", ")}`,
    diff: diffLines(file.text ?? "", text ?? ""),
    run: replace,
  };
  if (file.text === undefined) return [{ ...step, run: () => (writeBackup(file), replace()) }];
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

/** The text from before our entries were there, as it was read; null where there was no file, undefined where no copy tells it. */
export function findOriginal(file: SettingsFile): string | null | undefined {
  const backup = readBackup(file);
  return typeof backup !== "string" ? backup : mentionsUs(backup) ? undefined : backup.replace(/^\uFEFF/, "");
}

/** The copy is of the text as it was before our entries came, every time they come. */
function needsBackup({ text }: SettingsFile): boolean {
  return text !== undefined && !mentionsUs(text);
}

/** Every folder that a set-up of the client may write to, and all above them, the inner ones first. */
export function listFolders({ folder, hook, skills }: ClientPlaces, files: readonly SettingsFile[]): string[] {
  const paths = [hook.link, ...skills.map(({ link }) => link), ...files.map(({ target }) => target)];
  return listUpwards([folder, ...paths.map((path) => dirname(path))]);
}

/** The hooks do without it: what is in the way stays, and is told. */
function planSkillLink({ link, target }: LinkPlace): Step {
  if (!canHold(dirname(link)))
    return { word: "skip", text: `${dirname(link)} is no folder; our skill is in ${target}` };
  const state = readLinkState(link, target);
  if (state === "foreign") return { word: "skip", text: `${link} is not ours; our skill is in ${target}` };
  if (state === "ours") return { word: "ok", text: link };
  if (!canWriteInto(dirname(link)))
    return { word: "skip", text: `${dirname(link)} may not be written; our skill is in ${target}` };
  return { word: "link", text: describeLink(link, target), run: () => replaceLink(link, target) };
}
