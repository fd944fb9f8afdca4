import type { Target } from "../../lib/commands/check.ts";
import { hasAny, vocabulary } from "../../lib/prose/vocabulary.ts";
import { findLikelyKind, type Kind } from "./kinds.ts";
import { toWords } from "./words.ts";

/** What words such as "lint" stand for. */
const kinds: readonly { readonly words: ReadonlySet<string>; readonly kind: Kind }[] = [
  { kind: "lint", words: vocabulary("lint linter linters linting lints") },
  {
    kind: "types",
    words: vocabulary("types type typing typecheck typechecks type-check type-checks typechecker type-checker"),
  },
  { kind: "format", words: vocabulary("format formatter formatting formats") },
  {
    kind: "test",
    words: vocabulary("test tests testing spec specs suite suites assertion assertions e2e coverage"),
  },
  { kind: "build", words: vocabulary("build builds compile compiles compilation compiler") },
];
const anyCheck = vocabulary(
  "check checks checker checkers ci pipeline pipelines verify verified verifies verification verifier validation preflight status green",
);

/** How tests and the last run of one are called. */
const testName = /\btest_\w+|\bTest[A-Z]\w+|\.(?:test|spec)\.\w+|_test\.\w+|\b(?:last|latest|final|full|test) run\b/;

/** Whether the text is about a check: a word such as "tests" or "lint", a test's name, or the name of one of the targets. */
export function mentionsCheck(text: string, targets: readonly Target[]): boolean {
  const words = toWords(text);
  return (
    hasAny(words, anyCheck) ||
    kinds.some((kind) => hasAny(words, kind.words)) ||
    testName.test(text) ||
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
  const spoken = kinds.flatMap((each) => (hasAny(words, each.words) ? [each.kind] : []));
  if (spoken.length === 0 || hasAny(words, anyCheck)) return targets;
  return targets.filter(({ label }) => {
    const kind = findLikelyKind(label) ?? "all";
    return kind === "all" || spoken.includes(kind);
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
