import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parsePhrases } from "../../lib/phrases/parse-phrases.ts";
import type { Hook } from "../../lib/hook.ts";
import { isRecord } from "./compare.ts";
import { listHookFolders, templates } from "./folders.ts";
import { loadRule } from "./load-hook.ts";
import { findNameProblem } from "./plan-hook.ts";

const FILES = ["rule.ts", "cases.ts", "README.md"];

const HEADINGS = [
  "What it reports",
  "Example that fires",
  "Example that stays silent",
  "Why",
  "Known limits",
  "How to turn it off",
];

/** What a project's hooks lack, one line each: none when every hook is whole, and listed. */
export async function findLayoutProblems(root: string): Promise<readonly string[]> {
  const folders = listHookFolders(root);
  const kept = templates.filter((folder) => existsSync(join(root, "hooks", folder)));
  const problems = await Promise.all([...folders, ...kept].map((folder) => checkFolder(root, folder)));
  return [
    ...folders.flatMap((folder) => findNameProblem(folder) ?? []).map((problem) => `hooks/: ${problem}`),
    ...problems.flat(),
    ...checkLoose(root),
    ...(await checkIndex(root, folders)),
  ];
}

async function checkFolder(root: string, folder: string): Promise<readonly string[]> {
  const path = join(root, "hooks", folder);
  const problems = [
    ...FILES.filter((file) => !existsSync(join(path, file))).map((file) => `expected the file ${file}, got none`),
    ...(existsSync(join(path, "README.md")) ? checkReadme(folder, readFileSync(join(path, "README.md"), "utf8")) : []),
  ];
  const rule = existsSync(join(path, "rule.ts")) ? await checkRule(root, folder) : [];
  return [...problems, ...rule].map((problem) => `hooks/${folder}: ${problem}`);
}

function checkReadme(folder: string, readme: string): readonly string[] {
  const lines = readme.split("\n");
  const title = lines.filter((line) => line.startsWith("# "));
  const headings = lines.filter((line) => line.startsWith("## ")).map((line) => line.slice(3));
  return [
    ...(title.join() === `# ${folder}`
      ? []
      : [`expected one title in README.md, "# ${folder}", got ${JSON.stringify(title)}`]),
    ...(headings.join() === HEADINGS.join()
      ? []
      : [`expected the headings of README.md to be ${HEADINGS.join(", ")}, got ${headings.join(", ")}`]),
  ];
}

async function checkRule(root: string, folder: string): Promise<readonly string[]> {
  const dictionary = checkPhrases(root, folder);
  // A rule cannot be loaded whose dictionary is broken.
  if (dictionary.length > 0) return dictionary;
  try {
    return checkHook(await loadRule(root, folder), folder, existsSync(join(root, "hooks", folder, "phrases.json")));
  } catch (error) {
    return [`expected a rule that can be loaded, got ${describe(error)}`];
  }
}

function checkPhrases(root: string, folder: string): readonly string[] {
  const file = join(root, "hooks", folder, "phrases.json");
  if (!existsSync(file)) return [];
  try {
    parsePhrases(JSON.parse(readFileSync(file, "utf8")), `hooks/${folder}/phrases.json`);
    return [];
  } catch (error) {
    return [`expected a dictionary of phrases, got ${describe(error)}`];
  }
}

function checkHook({ id, description, events, defaultMode }: Hook, folder: string, isJudged: boolean): string[] {
  const problems: string[] = [];
  if (id !== folder) problems.push(`expected the id to be the name of its folder, got "${id}"`);
  if (!/^Reports [^.]+\.$/.test(description))
    problems.push(`expected the description to be one sentence that begins with "Reports", got "${description}"`);
  // The process edge answers no other event.
  if (events.join() !== "Stop") problems.push(`expected the events to be Stop, got ${events.join(", ")}`);
  if (isJudged && defaultMode !== "observe")
    problems.push(
      `expected the mode of a hook that asks a model to be observe until it is switched on, got ${defaultMode}`,
    );
  return problems;
}

/** Files beside the folders, where the import boundaries of rules would not reach them. */
function checkLoose(root: string): readonly string[] {
  const known = ["index.ts", "main.ts"];
  return readdirSync(join(root, "hooks"))
    .filter((name) => name.endsWith(".ts") && !known.includes(name))
    .map((name) => `hooks/${name}: expected every rule in a folder of its own, got a file beside the folders`);
}

async function checkIndex(root: string, folders: readonly string[]): Promise<readonly string[]> {
  try {
    const module: unknown = await import(pathToFileURL(join(root, "hooks/index.ts")).href);
    const hooks: unknown = isRecord(module) ? module["hooks"] : undefined;
    const ids = Array.isArray(hooks) ? hooks.map((hook: unknown) => (isRecord(hook) ? String(hook["id"]) : "")) : [];
    if (ids.join() === folders.join()) return [];
    return [`hooks/index.ts: expected every folder, sorted: ${folders.join(", ")}; got ${ids.join(", ")}`];
  } catch (error) {
    return [`hooks/index.ts: expected a list of hooks, got ${describe(error)}`];
  }
}

/** The first line: paths of this machine may follow. */
function describe(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
