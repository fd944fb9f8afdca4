import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot, type templates } from "./folders.ts";
import { planHook, type HookPlan } from "./plan-hook.ts";

/** Writes a new hook into a project and gives the files; or tells the problem, and then has written nothing. */
export function addHook(root: string, name: string, template: (typeof templates)[number]): HookPlan {
  const plan = planHook({
    name,
    template: { name: template, files: readFiles(join(projectRoot, "hooks", template)) },
    taken: readdirSync(join(root, "hooks")),
    index: readFileSync(join(root, "hooks/index.ts"), "utf8"),
  });
  if ("problem" in plan) return plan;
  mkdirSync(join(root, "hooks", name));
  for (const { path, text } of plan.files) writeFileSync(join(root, path), text);
  return plan;
}

function readFiles(folder: string) {
  return readdirSync(folder).map((path) => ({ path, text: readFileSync(join(folder, path), "utf8") }));
}
