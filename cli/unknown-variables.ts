import { cutText } from "../lib/cut-text.ts";
import type { Env } from "../lib/io/paths.ts";
import { suggestNearest } from "../lib/nearest.ts";
import { getModeVariable } from "../lib/settings.ts";

const MAX_SHOWN_END = 64;

/** The variables that begin like ours and mean nothing, a line each: a misspelt one is not heard. Pure. */
export function listUnknownVariables(env: Env, hookIds: readonly string[]): string[] {
  const modes = getModeVariable("");
  return [
    ...listUnknown(
      env,
      modes,
      hookIds.map((id) => getModeVariable(id).slice(modes.length)),
    ),
    ...listUnknown(env, "CATSTACK_LLM_JUDGE_", ["RUNNERS", "STATE_DIR", "CHILD"]),
  ];
}

function listUnknown(env: Env, start: string, ends: readonly string[]): string[] {
  const typed = Object.keys(env).filter((name) => name.startsWith(start) && (env[name] ?? "") !== "");
  const unknown = typed
    .map((name) => cutText(name.slice(start.length), MAX_SHOWN_END))
    .filter((end) => !ends.includes(end));
  return unknown.map((end) => {
    const all = ends.map((known) => start + known).join(", ");
    return `unknown variable ${start}${end}${suggestNearest(end, ends, (near) => start + near) || `; this version has ${all}`}`;
  });
}
