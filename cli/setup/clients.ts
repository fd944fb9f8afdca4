import { join, resolve } from "node:path";
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import type { Harness } from "../../lib/hook.ts";
import { getHome } from "../../lib/io/paths.ts";
import type { Env } from "../../lib/io/paths.ts";
import { addNotify, findTomlProblem, hasHooksOff, removeNotify } from "./codex-notify.ts";
import { claudeFormat, codexFormat, cursorFormat } from "./formats.ts";
import { findLoosePlace } from "./json-text.ts";
import { addHooks, removeHooks } from "./hook-entries.ts";
import type { HookFormat, Original, SettingsChange } from "./hook-entries.ts";

/** One file of a client's settings, and what is ours in it. Pure: texts in, texts out. */
export interface SettingsPlan {
  /** In the client's folder. */
  readonly name: string;
  /** Whether the client reads a file that begins with a byte order mark. */
  readonly allowsBom: boolean;
  /**
   * Gives the text that an install makes of it; `original` is the one from before the first install: null where there was no file, undefined where it is
   * not known. Throws a Failure for a file that is not what the client reads.
   */
  add(text: string | undefined, path: string, original: Original): SettingsChange;
  /** Gives the text without us. Throws as `add`. */
  remove(text: string, path: string, original: Original): SettingsChange;
}

/** What can be seen of an installed client without running it. */
export interface ClientFacts {
  /** The text of its `config`, empty where there is none. */
  readonly config: string;
  readonly version: string | undefined;
}

/** A client whose turns are watched. */
export interface Client {
  readonly name: Harness;
  readonly title: string;
  /** Names of its command. */
  readonly programs: readonly string[];
  /** The npm package that its command comes in, where its version decides what is set up. */
  readonly npmPackage?: string;
  /** The variable that names its folder. */
  readonly variable?: string;
  getFolder(env: Env): string;
  /** The file, in that folder, that says whether hooks are run. */
  readonly config: string;
  selectPlans(facts: ClientFacts): readonly SettingsPlan[];
  /** What the person has to know or do, from what the files hold. */
  getNotes(facts: ClientFacts): readonly string[];
  /** The command of its hook at the end of a turn, as it stands in its settings. */
  readonly stopCommand: string;
}

/** Codex runs hooks without being asked to since this version. */
const CODEX_WITH_HOOKS = [0, 124] as const;

/** Every client, in the order in which they are told. */
export const clients: readonly Client[] = [
  {
    name: "claude",
    title: "Claude Code",
    programs: ["claude"],
    variable: "CLAUDE_CONFIG_DIR",
    getFolder: (env) => resolve(env["CLAUDE_CONFIG_DIR"] || join(getHome(env), ".claude")),
    config: "settings.json",
    selectPlans: () => [planHooks("settings.json", claudeFormat)],
    getNotes({ config }) {
      const loose = findLoosePlace({ text: config, path: "settings.json" });
      return [
        ...(hasHooksDisabled(config)
          ? ["Claude Code's settings say disableAllHooks: no hook will run, ours neither"]
          : []),
        // Seen with 2.1.197: the whole file is passed over.
        ...(loose === undefined
          ? []
          : [
              `Claude Code does not read its settings while this stands in them: ${loose}; no hook will run until it is taken out`,
            ]),
      ];
    },
    stopCommand: claudeFormat.getCommand("Stop"),
  },
  {
    name: "codex",
    title: "Codex",
    programs: ["codex"],
    npmPackage: "@openai/codex",
    variable: "CODEX_HOME",
    getFolder: (env) => resolve(env["CODEX_HOME"] || join(getHome(env), ".codex")),
    config: "config.toml",
    selectPlans: (facts) =>
      hasHooks(facts) ? [planHooks("hooks.json", codexFormat), notifyGone] : [hooksGone, planNotify],
    getNotes: (facts) => {
      const problem = findTomlProblem(facts.config, "Codex's config.toml");
      if (problem !== undefined) return [`whether Codex's hooks are off cannot be told, ${problem}`];
      return hasHooks(facts)
        ? ["Codex runs a new hook once you trust it: type /hooks in it"]
        : [
            "Codex's hooks are off or older than 0.124: only `notify` is left, by which turns are checked and nobody is told (`catstack verdicts` shows what was found); switch hooks on and run this again",
          ];
    },
    stopCommand: codexFormat.getCommand("Stop"),
  },
  {
    name: "cursor",
    title: "Cursor",
    programs: ["cursor-agent", "cursor"],
    getFolder: (env) => join(getHome(env), ".cursor"),
    config: "hooks.json",
    selectPlans: () => [planHooks("hooks.json", cursorFormat)],
    getNotes: () => [],
    stopCommand: cursorFormat.getCommand("stop"),
  },
];

function planHooks(name: string, format: HookFormat): SettingsPlan {
  return {
    name,
    allowsBom: format.dialect === "comments",
    add: (text, path) => addHooks(text, path, format),
    remove: (text, path, original) => removeHooks(text, path, format, original),
  };
}

const planNotify: SettingsPlan = { name: "config.toml", allowsBom: true, add: addNotify, remove: removeNotify };
/** Where hooks are there again, `notify` would only tell the same turn twice; and the other way round. */
const notifyGone = takeOut(planNotify);
const hooksGone = takeOut(planHooks("hooks.json", codexFormat));

function takeOut(plan: SettingsPlan): SettingsPlan {
  return {
    ...plan,
    add(text, path, original) {
      if (text === undefined) return { text, what: [] };
      const change = plan.remove(text, path, original);
      return { ...change, what: change.what.map((each) => `${each} (taken out)`) };
    },
  };
}

function hasHooksDisabled(settings: string): boolean {
  const root = parseTree(settings);
  return root !== undefined && findNodeAtLocation(root, ["disableAllHooks"])?.value === true;
}

function hasHooks({ config, version }: ClientFacts): boolean {
  return !hasHooksOff(config) && !isOlder(version, CODEX_WITH_HOOKS);
}

function isOlder(version: string | undefined, [major, minor]: readonly [number, number]): boolean {
  const found = /^(\d+)\.(\d+)\./.exec(version ?? "");
  if (found === null) return false;
  const [, foundMajor, foundMinor] = found.map(Number);
  return Number(foundMajor) < major || (foundMajor === major && Number(foundMinor) < minor);
}
