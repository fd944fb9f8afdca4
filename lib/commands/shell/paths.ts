/**
 * Puts a path on a folder and tidies it: `/`, `.` and `..` resolved, no trailing slash. Absolute paths, `~` and paths
 * that begin with a variable ignore the folder. `D:\a` and `D:/a` become `/d/a`, the way Git Bash writes them, and `~`
 * becomes the home folder that the given folder shows. An unknown folder is "" and leaves the path relative. A path that no
 * system opens leads nowhere: the folder stays.
 */
export function resolvePath(cwd: string, path: string): string {
  if (cwd.length + path.length > LONGEST_PATH) return cwd;
  const folder = withoutDrive(cwd);
  const wanted = expandHome(folder, withoutDrive(path));
  return tidy(isRooted(wanted) || folder === "" ? wanted : `${folder}/${wanted}`);
}

/** PATH_MAX of macOS; folders that are put on folders stay below it. */
const LONGEST_PATH = 1024;

/** The folder part: `/a/b.c` gives `/a`, `b.c` gives "". */
export function parentFolder(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash > 0 ? path.slice(0, slash) : path.slice(0, slash + 1);
}

/** The last part: `./node_modules/.bin/tsc` gives `tsc`. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** A path as people would write it from `cwd`. */
export function relativePath(cwd: string, path: string): string {
  const folder = tidy(withoutDrive(cwd));
  return folder !== "" && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}

/** Has a slash or a file extension, or is `.` or `..`: more likely a path than a word or an expression. */
export function looksLikePath(text: string): boolean {
  return /^\.{1,2}$|^[^\s|()^]*\/[^|()^]*$|^[\w.@-]+\.[A-Za-z]{1,5}$/.test(text);
}

/** No part of it is empty, `.` or `..`. */
const isTidy = /^\/?(?!\.{0,2}(?:\/|$))[^/]+(?:\/(?!\.{0,2}(?:\/|$))[^/]+)*$/;

function isRooted(path: string): boolean {
  return /^[/~$]/.test(path);
}

function withoutDrive(path: string): string {
  if (path.charAt(1) !== ":") return path;
  const drive = /^([A-Za-z]):[\\/]/.exec(path);
  return drive === null ? path : `/${drive[1]?.toLowerCase()}/${path.slice(3).replaceAll("\\", "/")}`;
}

function expandHome(folder: string, path: string): string {
  const rest = /^(?:~|\$HOME|\$\{HOME\})(\/.*|$)/.exec(path)?.[1];
  if (rest === undefined) return path;
  const home = /^\/(?:home|Users)\/[^/]+|^\/root(?=\/|$)/.exec(folder)?.[0] ?? "~";
  return home + rest;
}

function tidy(path: string): string {
  if (isTidy.test(path)) return path;
  const kept: string[] = [];
  for (const part of path.split("/")) {
    const last = kept.at(-1);
    if (part === "" || part === ".") continue;
    if (part === ".." && last !== undefined && last !== ".." && !/^[~$]/.test(last)) kept.pop();
    else if (part !== ".." || !path.startsWith("/")) kept.push(part);
  }
  return (path.startsWith("/") ? "/" : "") + kept.join("/");
}
