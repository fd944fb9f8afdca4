import type { Scope } from "../../lib/commands/check.ts";

/**
 * Whether a run of `wide` checks everything that a run of `narrow` does: the same tool, at least its files, members and tests, and at least its
 * settings (one more, such as a race detector, nearly always makes a check stricter). False when that cannot be told from the commands.
 */
export function covers(wide: Scope, narrow: Scope): boolean {
  return (
    wide.tool === narrow.tool &&
    narrow.config.every((setting) => wide.config.includes(setting)) &&
    (wide.filters.length === 0 || isSame(wide.filters, narrow.filters)) &&
    coversPlace(wide, narrow)
  );
}

/** Whether a run of `wide` looks at every member and file that a run of `narrow` looks at, whatever their tools. */
export function coversPlace(wide: Scope, narrow: Scope): boolean {
  return coversProject(wide.project, narrow.project) && coversFiles(wide, narrow);
}

/** Whether a folder is another or stands below it. */
export function isFolderWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The scope as runs of one file each; a run without files is one part. */
export function splitScope(scope: Scope): readonly Scope[] {
  return scope.files.length === 0 ? [scope] : scope.files.map((file) => ({ ...scope, files: [file] }));
}

/** Whether two sorted lists hold the same. */
export function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function coversProject(wide: readonly string[], narrow: readonly string[]): boolean {
  return wide.length === 0 || (narrow.length > 0 && narrow.every((member) => wide.includes(member)));
}

/** A run without files checks its whole folder. */
function coversFiles(wide: Scope, narrow: Scope): boolean {
  const outer = wide.files.length === 0 ? [wide.cwd] : wide.files;
  const inner = narrow.files.length === 0 ? [narrow.cwd] : narrow.files;
  return inner.every((path) => outer.some((folder) => isWithin(path, folder)));
}

/** Go writes "this folder and everything below it" as `folder/...`. */
function isWithin(path: string, folder: string): boolean {
  const root = folder.replace(/\/\.\.\.$/, "");
  const place = path.replace(/\/\.\.\.$/, "");
  return place === root ? path === folder || folder !== root : place.startsWith(`${root}/`);
}
