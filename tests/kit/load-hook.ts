import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Cases } from "../../lib/cases/case.ts";
import type { Hook } from "../../lib/hook.ts";
import { isRecord } from "./compare.ts";
import { groups } from "./check-suite.ts";

/** The rule in a hook's folder. Throws when the file cannot be loaded, or exports no hook. */
export async function loadRule(root: string, folder: string): Promise<Hook> {
  const file = `hooks/${folder}/rule.ts`;
  const hook = await loadDefault(root, file);
  if (isHook(hook)) return hook;
  throw new Error(`${file}: expected a hook as default export, made by \`defineHook\`, got ${describe(hook)}`);
}

/** The cases in a hook's folder. Throws when the file cannot be loaded, or exports no cases. */
export async function loadCases(root: string, folder: string): Promise<Cases> {
  const file = `hooks/${folder}/cases.ts`;
  const cases = await loadDefault(root, file);
  if (isCases(cases)) return cases;
  throw new Error(
    `${file}: expected ${groups.join(", ")} as default export, each a list, and nothing else, got ${describe(cases)}`,
  );
}

async function loadDefault(root: string, file: string): Promise<unknown> {
  const module: unknown = await import(pathToFileURL(join(root, file)).href);
  return isRecord(module) ? module["default"] : undefined;
}

/** The compiler has checked the parts: the file calls `defineHook`. */
function isHook(value: unknown): value is Hook {
  return isRecord(value) && typeof value["id"] === "string" && typeof value["check"] === "function";
}

/** As above: the file says `satisfies Cases`. */
function isCases(value: unknown): value is Cases {
  return (
    isRecord(value) &&
    Object.keys(value).toSorted().join() === groups.toSorted().join() &&
    Object.values(value).every(Array.isArray)
  );
}

function describe(value: unknown): string {
  return isRecord(value) ? Object.keys(value).join(", ") : typeof value;
}
