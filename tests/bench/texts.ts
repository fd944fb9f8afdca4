/** A number from 0 up to 1. */
export type Random = () => number;

/** Command lines that check something. */
export const checks: readonly ((word: string, n: number) => string)[] = [
  () => "npm test",
  () => "npx tsc --noEmit",
  (word) => `pytest tests/test_${word}.py -q`,
  (word) => `cd /home/user/project/${word} && cargo test --workspace`,
  (word, n) => `npm run lint -- src/${word}.ts 2>&1 | tail -${n}`,
];

/** Command lines that only read or edit. */
export const commands: readonly ((word: string, n: number) => string)[] = [
  () => "git status --short",
  (_, n) => `git diff --stat HEAD~${n}`,
  (word) => `ls -la src/${word}`,
  (word, n) => `grep -rn '${word}' src --include=*.tsx | head -${n}`,
  (word) => `cat package.json | jq .${word}`,
  (word, n) => `git add -A && git commit -m "fix: handle ${word} number ${n}"`,
  (word, n) => `find . -name '${word}*.py' -not -path './node_modules/*' | xargs wc -l | sort -n | tail -${n}`,
  (word, n) => `sed -n '${n},${n + 60}p' src/server/${word}.ts`,
  (word, n) => `for f in src/${word}/*; do echo "== $f"; head -${n} "$f"; done`,
];

export const words =
  "the parser now reads every token of a file before it returns an error to its caller which is why this test failed".split(
    " ",
  );

export function prose(random: Random, length: number): string {
  let text = "";
  while (text.length < length) text += `${pick(random, words)} `;
  return text;
}

/** Looks like source: indented lines with quotes and brackets, which JSON has to escape. */
export function code(random: Random, length: number): string {
  let text = "";
  while (text.length < length) {
    text += `  const ${pick(random, words)} = ${pick(random, words)}("${pick(random, words)}", { ${pick(random, words)}: ${Math.floor(random() * 1000)} });\n`;
  }
  return text;
}

export function base64(random: Random, length: number): string {
  let text = "";
  while (text.length < length) text += Math.floor(random() * 2 ** 32).toString(36);
  return text;
}

export function pick<T>(random: Random, list: readonly T[]): T {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new Error("expected a list with items, got an empty one");
  return item;
}
