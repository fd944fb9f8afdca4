import type { Target } from "../../lib/commands/check.ts";

/**
 * Names targets so that no two are called alike: by their label, with the folder where one label stands for several, and by the whole key where
 * they differ in more than that.
 */
export function nameTargets(targets: readonly Target[]): (target: Target) => string {
  const alike = new Map<string, Map<string, Target>>();
  for (const target of targets) {
    const group = alike.get(target.label) ?? new Map<string, Target>();
    alike.set(target.label, group.set(target.key, target));
  }
  return (target) => {
    const group = [...(alike.get(target.label)?.values() ?? [])];
    if (group.length < 2) return target.label;
    const folders = new Set(group.map(({ scope }) => scope.cwd));
    return folders.size === group.length ? `${target.label} in ${target.scope.cwd}` : target.key;
  };
}
