import type { CheckKind } from "./tool.ts";

const checking =
  /^(?:tests?|tst|lint(?:er|ing)?|check(?:s|er|ing)?|typecheck|type|types|typing|tsc|verify|verification|validate|validation|spec|specs|e2e|ci|unit|integration|eslint|stylelint|prettier|biome|ruff|mypy|pytest|vitest|jest|mocha|playwright|cypress|clippy|vet|smoke|qa|coverage|cov|preflight|precommit|audit|regression|conformance|acceptance|selftest|doctest|bench(?:test)?|build|compile|golangci|shellcheck|actionlint)$/;

const changing =
  /^(?:write|watch|watcher|dev|serve|server|start|update|upgrade|install|setup|open|ui|clean|list|ls|deploy|release|publish|gen|generate|codegen|seed|debug|record|accept|approve|help|docs?|storybook|docker|image|bump|prepare|bootstrap|init|new|create|migrate|down|up|stop|logs?)$/;

/** A name that begins so starts or prepares something. */
const notRunning = /^(?:start|serve|dev|watch|update|setup|prepare|seed|open|debug|record|install)$/;

const surelyChecks = /^(?:check|checks|verify|lint|test|tests|ci)$/;

/**
 * Whether a script's or target's name says that it checks something: `test:unit`, `typecheck`, `check-format`; not
 * `test:watch`. A `lint:fix` lints as well: it is a check of its own.
 */
export function isCheckName(name: string): boolean {
  const words = splitName(name);
  if (!words.some((word) => checking.test(word))) return false;
  const changes = words.filter((word) => changing.test(word));
  if (notRunning.test(words[0] ?? "")) return false;
  // `generate-check` and `docs:lint` check what they name.
  return (
    changes.length === 0 ||
    (surelyChecks.test(words.at(-1) ?? "") && !changes.some((word) => /^(?:watch|dev|serve|update)$/.test(word)))
  );
}

const kinds: readonly (readonly [CheckKind, RegExp])[] = [
  ["types", /^(?:typecheck|types?|typing|tsc|mypy)$/],
  ["lint", /^(?:lint(?:er|ing)?|eslint|stylelint|biome|ruff|clippy|vet|golangci|shellcheck|actionlint)$/],
  ["format", /^(?:fmt|format|formatting|prettier)$/],
  ["test", /^(?:tests?|specs?|e2e|unit|integration|pytest|vitest|jest|mocha|playwright|cypress|coverage|smoke)$/],
  ["build", /^(?:build|compile)$/],
];

/** The one kind of work a script's or task's name speaks of; undefined for `check`, `ci` and names of several kinds. */
export function findKind(name: string): CheckKind | undefined {
  const words = splitName(name);
  const named = kinds.filter(([, pattern]) => words.some((word) => pattern.test(word)));
  return named.length === 1 ? named[0]?.[0] : undefined;
}

/** A variable of such a name tells a script which of its checks to run: `MODE=fast ./check.sh`, `TEST_SUITE=api npm test`. */
export const modeVariable =
  /^(?:[A-Z0-9]+_)*(?:MODE|SUITES?|FILTER|GREP|ONLY|SKIP|SHARD|SCENARIOS?|CASES?|STAGE|PHASE|TAGS?|MARKERS?|TARGETS?|PACKAGES?|PKGS?|FILES?)$/;

/** A name as a part of a pattern that fits only it. */
export function escapePattern(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

/** `testUnit:ci_fast` gives test, unit, ci, fast. */
function splitName(name: string): readonly string[] {
  return name
    .split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}
