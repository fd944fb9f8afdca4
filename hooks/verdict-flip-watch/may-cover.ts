import type { Scope } from "../../lib/commands/check.ts";
import { covers, coversPlace, isFolderWithin } from "./covers.ts";
import { findLikelyKind, type Kind } from "./kinds.ts";
import { isRunner } from "./runners.ts";

/**
 * Whether a pass of `wide` may have shown that `narrow` passes: it covers it, or does so for all that the two commands tell. What a package script or
 * a task runs is in no command, so a script and a tool that do the same kind of work may be one check.
 */
export function mayCover(wide: Scope, narrow: Scope): boolean {
  return (
    covers(wide, narrow) ||
    isSameFromElsewhere(wide, narrow) ||
    includes(wide, narrow) ||
    (isRunner(wide) && runnerMayCover(wide, narrow)) ||
    (isRunner(narrow) && !isRunner(wide) && toolMayCover(wide, narrow))
  );
}

/** Tools that look for their project file from the folder they start in upwards. */
const looksUpward = /^(?:script|just|task|rake|invoke|inv|mage|poe|mise|cargo|tsc|vue-tsc|gradle)(?: |$)/;

/** Folders that hold projects of their own. */
const holdsProjects = /^(?:packages|apps|services|libs|crates|modules|plugins|examples|projects|workspaces)(?:\/|$)/;

/** `mise lint` from a folder below the one where it failed. */
function isSameFromElsewhere(wide: Scope, narrow: Scope): boolean {
  if (wide.tool !== narrow.tool || !looksUpward.test(wide.tool) || wide.files.length > 0) return false;
  if (!isInProject(wide.cwd, narrow.cwd)) return false;
  return covers({ ...wide, cwd: narrow.cwd }, narrow);
}

/** A folder of the same project, as far as its name tells. */
function isInProject(folder: string, root: string): boolean {
  return isFolderWithin(folder, root) && !holdsProjects.test(folder.slice(root.length + 1));
}

/** What a tool does before or beside its own work: tests are compiled first. */
const included: Readonly<Record<string, RegExp>> = {
  "go test": /^go (?:build|vet)$/,
  "go vet": /^go build$/,
  "golangci-lint run": /^(?:go (?:build|vet)|staticcheck|errcheck|ineffassign)$/,
  "cargo test": /^cargo (?:build|check)$/,
  "cargo nextest": /^cargo (?:build|check|test)$/,
  "cargo clippy": /^cargo (?:check|build)$/,
  "cargo build": /^cargo check$/,
  "dotnet test": /^dotnet build$/,
  "swift test": /^swift build$/,
  "mix test": /^mix compile$/,
  oxlint: /^eslint$/,
};

function includes(wide: Scope, narrow: Scope): boolean {
  return included[wide.tool]?.test(narrow.tool) === true && wide.filters.length === 0 && coversPlace(wide, narrow);
}

function runnerMayCover(wide: Scope, narrow: Scope): boolean {
  if (wide.filters.length > 0 || !isPlaceOf(wide, narrow)) return false;
  const does = findLikelyKind(wide.tool);
  if (does === "all") return true;
  const needed = findLikelyKind(narrow.tool);
  if (does === undefined || needed === undefined || !doesKind(does, needed)) return false;
  return !isRunner(narrow) || !isNarrower(wide.tool, narrow.tool);
}

function isPlaceOf(wide: Scope, narrow: Scope): boolean {
  const place = { ...wide, files: [`${wide.cwd}/...`] };
  return coversPlace(place, narrow) || (narrow.files.length === 0 && isInProject(wide.cwd, narrow.cwd));
}

/** A build often checks types first. */
function doesKind(does: Kind, needed: Kind): boolean {
  return does === needed || (does === "build" && needed === "types");
}

/** `test:unit` is less than `test` or `test:ci`, and another than `test:e2e`. */
function isNarrower(name: string, other: string): boolean {
  const [part, otherPart] = [name, other].map((each) => /[:_-]([\w:-]+)$/.exec(each)?.[1]);
  return part !== undefined && part !== otherPart && !/^(?:ci|all|full|coverage|cov|check|run)$/.test(part);
}

/** A tool that was run on everything a script of its kind would look at. */
function toolMayCover(wide: Scope, narrow: Scope): boolean {
  const does = findLikelyKind(wide.tool);
  return (
    does !== undefined &&
    does === findLikelyKind(narrow.tool) &&
    wide.filters.length === 0 &&
    narrow.filters.length === 0 &&
    wide.project.every((member) => member === ".") &&
    isInProject(wide.cwd, narrow.cwd) &&
    wide.files.every((file) => file === narrow.cwd || isSourceFolder(file, narrow.cwd))
  );
}

function isSourceFolder(file: string, cwd: string): boolean {
  const name = cwd === "" ? file : file.slice(cwd.length + 1);
  return file.startsWith(cwd) && /^(?:src|lib|app|tests?|specs?|__tests__|\.\.\.)$/.test(name);
}
