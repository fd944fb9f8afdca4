import { basename, dirname } from "node:path";

/** Names a turn for one hook, wherever the folder of all sessions lies: `diu-stop/my-project/0b5c1f2e#4`. */
export function getCaseId(hook: string, path: string, turn: number): string {
  return `${hook}/${getShortPath(path).replace(/\.jsonl$/, "")}#${turn}`;
}

/** The file and the folder it is in: enough to find a session by. */
export function getShortPath(path: string): string {
  return `${basename(dirname(path))}/${basename(path)}`;
}

/** Files whose turns have the same ids, such as a session and a copy of it in another place. */
export function findAlike(paths: readonly string[]): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const name = getShortPath(path);
    groups.set(name, [...(groups.get(name) ?? []), path]);
  }
  return [...groups.values()].filter((alike) => alike.length > 1);
}
