import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { Failure } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { addEntries, hasHooksDisabled, mentionsUs } from "./setup/claude-settings.ts";
import { canHold, readLinkState, replaceLink } from "./setup/links.ts";
import { getDistDir, getPlaces } from "./setup/places.ts";
import type { Places, SkillPlace } from "./setup/places.ts";
import { getBackupPath, readBackup, readSettingsFile, replaceSettings, writeBackup } from "./setup/settings-file.ts";
import type { SettingsFile } from "./setup/settings-file.ts";
import { runSteps } from "./setup/step.ts";
import type { Step } from "./setup/step.ts";

/**
 * `catstack install`: links `dist/` and our skills into Claude Code's folder and adds our hooks to its settings. Everything is checked before anything
 * is written; a second run changes nothing.
 */
export async function install(args: readonly string[], io: CliIo): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { "dry-run": { type: "boolean", default: false } } });
  const places = getPlaces(io.env, getDistDir(import.meta.url));
  runSteps(planInstall(places), values["dry-run"], io);
  if (!values["dry-run"]) {
    const command = places.commandLinkIsUseful ? "catstack" : `node '${places.command}'`;
    io.out(
      `\nHooks report from the next Claude Code session on. Questions for a model wait until you run: ${command} service install (or by hand: ${command} watch)`,
    );
  }
  return 0;
}

function planInstall(places: Places): Step[] {
  for (const name of ["hook.mjs", "launch", "start.cjs"]) {
    if (existsSync(join(places.dist, name))) continue;
    throw new Failure(`expected ${join(places.dist, name)}, found nothing; run: npm run build`);
  }
  return [planHookLink(places), ...planSettings(places), planCommandLink(places), ...places.skills.map(planSkillLink)];
}

function planHookLink({ hookLink, dist }: Places): Step {
  const state = readLinkState(hookLink, dist);
  if (state === "foreign") {
    throw new Failure(
      `${hookLink}: expected nothing or a link of ours, got something else; move it away and run this again`,
    );
  }
  if (state === "ours") return { word: "ok", text: hookLink };
  return { word: "link", text: `${hookLink} -> ${dist}`, run: () => replaceLink(hookLink, dist) };
}

function planSettings(places: Places): Step[] {
  const file = readSettingsFile(places.settings);
  const change = addEntries(file.text, places.settings);
  const steps: Step[] = [];
  if (change.text === file.text) steps.push({ word: "ok", text: places.settings });
  else {
    if (file.text !== undefined && !isBackedUp(file))
      steps.push({ word: "backup", text: getBackupPath(file), run: () => writeBackup(file) });
    steps.push({
      word: "add",
      text: `${places.settings}: ${change.events.join(", ")}`,
      run: () => replaceSettings(file, change.text),
    });
  }
  if (hasHooksDisabled(change.text, places.settings)) {
    steps.push({ word: "note", text: `${places.settings} says disableAllHooks: no hook will run, ours neither` });
  }
  return steps;
}

/** A copy from before our entries were there is the one worth keeping, however old it is. */
function isBackedUp(file: SettingsFile): boolean {
  const backup = readBackup(file);
  return backup !== undefined && !mentionsUs(backup);
}

function planCommandLink({ commandLink, commandLinkIsUseful, command }: Places): Step {
  if (!commandLinkIsUseful) return { word: "skip", text: `no ~/.local/bin on PATH; call it as: node '${command}'` };
  const state = readLinkState(commandLink, command);
  if (state === "foreign") return { word: "skip", text: `${commandLink} is not ours; call ours as: node '${command}'` };
  if (state === "ours") return { word: "ok", text: commandLink };
  return { word: "link", text: `${commandLink} -> ${command}`, run: () => replaceLink(commandLink, command) };
}

/** The hooks do without it: what is in the way stays, and is told. */
function planSkillLink({ folder, link }: SkillPlace): Step {
  if (!canHold(dirname(link)))
    return { word: "skip", text: `${dirname(link)} is no folder; our skill is in ${folder}` };
  const state = readLinkState(link, folder);
  if (state === "foreign") return { word: "skip", text: `${link} is not ours; our skill is in ${folder}` };
  if (state === "ours") return { word: "ok", text: link };
  return { word: "link", text: `${link} -> ${folder}`, run: () => replaceLink(link, folder) };
}
