import type { Target } from "../../lib/commands/check.ts";
import { hasAny, toWords, vocabulary } from "./words.ts";

/** What words such as "lint" stand for, and the tools that do it. The first that fits a target is its kind. */
const kinds: readonly { readonly words: ReadonlySet<string>; readonly tool: RegExp }[] = [
  {
    words: vocabulary("lint linter linters linting lints"),
    tool: /lint|ruff|clippy|flake8|shellcheck|\bvet\b|biome|knip/i,
  },
  {
    words: vocabulary("types type typing typecheck typechecks type-check type-checks typechecker type-checker"),
    tool: /tsc|mypy|pyright|type/i,
  },
  { words: vocabulary("format formatter formatting formats"), tool: /fmt|format|prettier|black/i },
  {
    words: vocabulary("test tests testing spec specs suite suites assertion assertions e2e coverage"),
    tool: /test|spec|jest|mocha|tox|cypress|playwright/i,
  },
  {
    words: vocabulary("build builds compile compiles compilation compiler"),
    tool: /build|compile|make|webpack|vite\b|\bcheck\b/i,
  },
];
const anyCheck = vocabulary(
  "check checks checker checkers ci pipeline pipelines verify verified verifies verification verifier validation preflight status green",
);

/** Whether the text is about a check: a word such as "tests" or "lint", or the name of one of the targets. */
export function mentionsCheck(text: string, targets: readonly Target[]): boolean {
  const words = toWords(text);
  return (
    hasAny(words, anyCheck) ||
    kinds.some((kind) => hasAny(words, kind.words)) ||
    targets.some((target) => hasPart(text, target) || hasTool(text, target))
  );
}

/**
 * The targets that a statement is about. The texts are the clause, the sentence and the paragraph it stands in: the first that
 * is about a check decides, and a name (a file, a tool) weighs more than a kind ("the lint"), which weighs more than "it".
 */
export function selectNamed(texts: readonly string[], targets: readonly Target[]): readonly Target[] {
  const text = texts.find((each) => mentionsCheck(each, targets));
  if (text === undefined) return targets;
  const named = [hasPart, hasTool]
    .map((isNamed) => targets.filter((target) => isNamed(text, target)))
    .find((found) => found.length > 0);
  return named ?? selectOfKind(toWords(text), targets);
}

function selectOfKind(words: readonly string[], targets: readonly Target[]): readonly Target[] {
  const spoken = kinds.filter((kind) => hasAny(words, kind.words));
  if (spoken.length === 0 || hasAny(words, anyCheck)) return targets;
  return targets.filter(({ label }) => {
    const kind = kinds.find(({ tool }) => tool.test(label));
    return kind === undefined || spoken.includes(kind);
  });
}

/** A file, folder, member or filter of the target, by its last part. */
function hasPart(text: string, { scope }: Target): boolean {
  const parts = [...scope.files, ...scope.project].map((part) => part.slice(part.lastIndexOf("/") + 1));
  return [...parts, ...scope.filters].some((part) => part.length > 2 && text.includes(part));
}

function hasTool(text: string, { scope, label }: Target): boolean {
  return hasName(text, label) || hasName(text, scope.tool);
}

/** The name, not as part of a longer word. */
function hasName(text: string, name: string): boolean {
  const at = text.toLowerCase().indexOf(name.toLowerCase());
  return at >= 0 && !/\w/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + name.length));
}
