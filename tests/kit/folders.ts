import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** This project. */
export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

/** What `new-hook` copies: folders that are kept as good as a hook's, and belong to no bundle. */
export const templates = ["_template", "_template-judged"] as const;

/** The folders of hooks, sorted; those of the templates are none. */
export function listHookFolders(root: string): readonly string[] {
  return readdirSync(join(root, "hooks"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"))
    .map(({ name }) => name)
    .toSorted();
}
