import type { Target } from "../../lib/commands/check.ts";

/** What a word such as "lint" stands for, and the tools that do it. The first that fits a target is its kind. */
const kinds: readonly { readonly word: RegExp; readonly tool: RegExp }[] = [
  { word: /\blint(?:er|ers|ing|s)?\b/i, tool: /lint|ruff|clippy|flake8|shellcheck|\bvet\b|biome|knip/i },
  { word: /\b(?:type-?check(?:s|er|ing)?|types?|typing)\b/i, tool: /tsc|mypy|pyright|type/i },
  { word: /\bformat(?:ter|ting|s)?\b/i, tool: /fmt|format|prettier|black/i },
  {
    word: /\b(?:tests?|testing|specs?|suites?|assertions?|e2e|coverage)\b/i,
    tool: /test|spec|jest|mocha|tox|cypress|playwright/i,
  },
  { word: /\b(?:builds?|compil\w+)\b/i, tool: /build|compile|make|webpack|vite\b|\bcheck\b/i },
];
const anyCheck = /\b(?:checks?|checkers?|ci|pipelines?|verif\w+|validation|preflight|status|green)\b/i;

/** Whether the text is about a check: a word such as "tests" or "lint", or the name of one of the targets. */
export function mentionsCheck(text: string, targets: readonly Target[]): boolean {
  return (
    anyCheck.test(text) || kinds.some(({ word }) => word.test(text)) || targets.some((target) => isNamed(text, target))
  );
}

/**
 * The targets that a statement is about. The texts are the clause, the sentence and the paragraph it stands in: the first that is about a
 * check decides, and a name (a file, a tool) weighs more than a kind ("the lint"), which weighs more than "it".
 */
export function selectNamed(texts: readonly string[], targets: readonly Target[]): readonly Target[] {
  const text = texts.find((each) => mentionsCheck(each, targets));
  if (text === undefined) return targets;
  const named = narrowest(targets, [(target) => hasPart(text, target), (target) => hasTool(text, target)]);
  if (named !== undefined) return named;
  const spoken = kinds.filter(({ word }) => word.test(text));
  if (spoken.length === 0 || anyCheck.test(text)) return targets;
  return targets.filter((target) => {
    const kind = kinds.find(({ tool }) => tool.test(target.label));
    return kind === undefined || spoken.includes(kind);
  });
}

function narrowest(
  targets: readonly Target[],
  tests: readonly ((target: Target) => boolean)[],
): readonly Target[] | undefined {
  return tests.map((test) => targets.filter(test)).find((found) => found.length > 0);
}

function isNamed(text: string, target: Target): boolean {
  return hasPart(text, target) || hasTool(text, target);
}

/** A file, folder, member or filter of the target, by its last part. */
function hasPart(text: string, { scope }: Target): boolean {
  const parts = [...scope.files, ...scope.project].map((part) => part.slice(part.lastIndexOf("/") + 1));
  return [...parts, ...scope.filters].some((part) => part.length > 2 && text.includes(part));
}

function hasTool(text: string, { scope, label }: Target): boolean {
  return hasWords(text, label) || hasWords(text, scope.tool);
}

function hasWords(text: string, words: string): boolean {
  const at = text.toLowerCase().indexOf(words.toLowerCase());
  if (at < 0) return false;
  return !/\w/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + words.length));
}
