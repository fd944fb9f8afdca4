import { join } from "node:path";
import { listDir } from "../../lib/io/list-dir.ts";
import { findSmallText } from "../../lib/io/read-small-file.ts";

export interface Skill {
  /** That of its folder. */
  readonly name: string;
  /** Whether the agent may call it when it sees fit, without being told to. */
  readonly isCallable: boolean;
}

/** The skills of a folder that holds a folder each, by name. Throws the system's error. */
export function readSkills(folder: string): readonly Skill[] {
  return listDir(folder)
    .sort()
    .map((name) => ({ name, isCallable: isCallable(name, findSmallText(join(folder, name, "SKILL.md")) ?? "") }));
}

/** The client offers a skill to its model by name and description, unless the front matter says that only the person calls it. */
function isCallable(name: string, text: string): boolean {
  const [, matter = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  const find = (key: string): string | undefined => new RegExp(`^${key}:\\s*(\\S.*)$`, "m").exec(matter)?.[1];
  const disabled = find("disable-model-invocation") ?? "false";
  return find("name") === name && find("description") !== undefined && disabled === "false";
}
