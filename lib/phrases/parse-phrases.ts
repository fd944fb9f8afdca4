import { clipText } from "../cut-text.ts";
import type { PhraseDictionary, Reads } from "./phrase-dictionary.ts";

/** A prompt has to stay short: phrases are examples, no corpus. */
const MAX_PHRASES = 40;
const MAX_PHRASE = 200;
const MAX_TEXT = 600;

const keys = ["checker", "meaning", "reads", "match", "not_match", "on_hit"];
const readable: readonly Reads[] = ["reply", "user", "exchange"];

/**
 * The dictionary of a hook from its imported `phrases.json`; `file` is its path, whose folder names the hook. Call it where the module is
 * loaded: the build runs the bundle once, so a dictionary with a mistake is never shipped. Throws with one line for each mistake, which
 * names the file, the key, what was expected and what came.
 */
export function parsePhrases(value: unknown, file: string): PhraseDictionary {
  const problems: string[] = [];
  const complain = (key: string, expected: string, got: string): void =>
    void problems.push(`${file}: expected ${key} to be ${expected}, got ${got}`);
  const read = createReader(isRecord(value) ? value : {}, complain);
  if (!isRecord(value)) complain("the file", "one JSON object", show(value));
  else
    for (const key of Object.keys(value))
      if (!keys.includes(key)) complain(`\`${key}\``, `absent, or one of ${keys.join(", ")}`, "it");
  const [, folder = ""] = /([^/\\]+)[/\\][^/\\]*$/.exec(file) ?? [];
  const dictionary = {
    checker: read.text("checker", `"${folder}", the name of its folder`, (text) => text === folder),
    meaning: read.text("meaning", `one line of 1 to ${MAX_TEXT} characters`, (text) => isLine(text, MAX_TEXT)),
    reads: read.reads(),
    match: read.phrases("match", 1),
    not_match: read.phrases("not_match", 0),
    on_hit: read.text("on_hit", `one line of 1 to ${MAX_TEXT} characters`, (text) => isLine(text, MAX_TEXT)),
  };
  const both = dictionary.match.find((phrase) => dictionary.not_match.includes(phrase));
  if (both !== undefined) complain("`not_match`", "without phrases of `match`", show(both));
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return dictionary;
}

type Complain = (key: string, expected: string, got: string) => void;

/** Each gives a value of its type in any case, and complains of another one. */
function createReader(record: Readonly<Record<string, unknown>>, complain: Complain) {
  const get = (key: string): unknown => (Object.hasOwn(record, key) ? record[key] : undefined);
  return {
    text(key: string, expected: string, isGood: (text: string) => boolean): string {
      const value = get(key);
      if (typeof value === "string" && isGood(value)) return value;
      complain(`\`${key}\``, expected, show(value));
      return "";
    },
    reads(): Reads {
      const value = get("reads");
      const found = readable.find((each) => each === value);
      if (found === undefined) complain("`reads`", `one of ${readable.join(", ")}`, show(value));
      return found ?? "reply";
    },
    phrases(key: string, min: number): readonly string[] {
      const value = get(key);
      if (!Array.isArray(value) || value.length < min || value.length > MAX_PHRASES) {
        complain(`\`${key}\``, `a list of ${min} to ${MAX_PHRASES} phrases`, show(value));
        return [];
      }
      return value.flatMap((phrase: unknown, index) => {
        const before: readonly unknown[] = value.slice(0, index);
        if (typeof phrase === "string" && isLine(phrase, MAX_PHRASE) && !before.includes(phrase)) return [phrase];
        complain(`\`${key}[${index}]\``, `a new phrase, one line of 1 to ${MAX_PHRASE} characters`, show(phrase));
        return [];
      });
    },
  };
}

/** One line without blanks around it and without characters that nobody sees. */
function isLine(text: string, max: number): boolean {
  if (text === "" || text.length > max || text !== text.trim()) return false;
  // Compiling the second costs a hook 0.8 ms at its start; most phrases need only the first.
  return /^[ -~]*$/.test(text) || !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return value.length === 1 ? "a list of 1" : `a list of ${value.length}`;
  if (isRecord(value)) return "an object";
  const text = JSON.stringify(value) ?? typeof value;
  return clipText(text, 60);
}
