import { hooks } from "../../hooks/index.ts";
import { getModeVariable } from "../../lib/settings.ts";

/** The environment in which this hook alone runs, so that a test of it does not hear the others, nor one that is added later. */
export function onlyHook(id: string): Readonly<Record<string, string>> {
  const others = hooks.filter((hook) => hook.id !== id);
  return Object.fromEntries(others.map((hook) => [getModeVariable(hook.id), "off"]));
}
