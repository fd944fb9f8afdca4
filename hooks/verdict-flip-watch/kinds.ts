import type { CheckKind } from "../../lib/commands/tools/tool.ts";

/** What kind of work a check does; `all`: one that runs the others. */
export type Kind = CheckKind | "all";

/** The first that fits a name is its kind. */
const names: readonly (readonly [Kind, RegExp])[] = [
  ["format", /fmt|format|prettier|black|isort/i],
  ["types", /\b(?:vue-)?tsc\b|tsgo|mypy|pyright|type-?s?-?check|types\b|cargo check|deno check|dialyzer|\bty\b/i],
  ["lint", /lint|ruff|clippy|flake8|shellcheck|\bvet\b|biome|knip|rubocop|phpstan|staticcheck|analy[sz]e/i],
  ["test", /test|\bspec\b|rspec|jest|mocha|\bava\b|phpunit|\bbats\b|cypress|playwright|e2e/i],
  ["build", /build|compile|webpack|\bvite\b/i],
  ["all", /\b(?:check|checks|verify|ci|all|preflight|validate|qa|precommit)\b|pre-commit|^(?:tox|nox)$/i],
];

/** The kind of work that a tool or a script of this name most likely does; undefined when the name does not say. */
export function findLikelyKind(name: string): Kind | undefined {
  return names.find(([, pattern]) => pattern.test(name))?.[0];
}
