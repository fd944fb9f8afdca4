import { clipText } from "../cut-text.ts";
import type { Scope, Target } from "./check.ts";
import { baseName, relativePath } from "./shell/paths.ts";

const longestLabel = 100;

/**
 * The target of a scope. Files say where they are by themselves, so the folder is part of the key only without them:
 * one file is one target from whichever folder it is checked. `shown` begins the label and is no part of the key.
 */
export function makeTarget(scope: Scope, shown = scope.tool): Target {
  const tidy: Scope = {
    tool: scope.tool,
    cwd: scope.cwd,
    project: sorted(scope.project),
    files: sorted(scope.files.length === 1 && scope.files[0] === scope.cwd ? [] : scope.files),
    filters: sorted(scope.filters),
    config: sorted(scope.config),
  };
  return { key: keyOf(tidy), label: labelOf(tidy, shown), scope: tidy };
}

function keyOf(scope: Scope): string {
  const places = scope.files.length === 0 ? [scope.cwd] : scope.files;
  return [
    quoted(scope.tool),
    ...places.map((each) => `at=${quoted(each)}`),
    ...scope.project.map((each) => `project=${quoted(each)}`),
    ...scope.filters.map((each) => `filter=${quoted(each)}`),
    ...scope.config.map((each) => `config=${quoted(each)}`),
  ].join(" ");
}

/** A text with blanks or quotes in it is quoted, so that no two scopes share a key. */
function quoted(text: string): string {
  return /^[^\s"]+$/.test(text) ? text : JSON.stringify(text);
}

function labelOf(scope: Scope, shown: string): string {
  const files = scope.files.map((file) => labelOfFile(relativePath(scope.cwd, file)));
  // A script is its own tool: its path says more than its name.
  const tool = scope.files.some((file) => baseName(file) === scope.tool) ? [] : [shown];
  const text = [...tool, ...scope.project, ...files, ...scope.filters].join(" ");
  return clipText(text, longestLabel);
}

/** Go writes every package below a folder as `./...`; without the folder it would look cut off. */
function labelOfFile(path: string): string {
  return path === "..." ? "./..." : path;
}

function sorted(texts: readonly string[]): readonly string[] {
  return texts.length < 2 ? texts : [...new Set(texts)].sort();
}
