import { readFileSync } from "node:fs";
import { isRecord, showText, showValue } from "../../inbox-schema/describe.ts";
import { findPosition, parseJson, showPosition } from "../../inbox-schema/json-text.ts";
import { describeState } from "../describe-error.ts";
import { Failure } from "../failure.ts";
import { findStoryProblem, type Known, type StoryProblem } from "./find-story-problem.ts";
import { getPlace, type Story, story } from "./story-schema.ts";

type ReadStory = { readonly ok: true; readonly story: Story } | { readonly ok: false; readonly problem: StoryProblem };

/**
 * The stories of a file, which holds one or a list. `known`: what they may speak of. Throws a Failure that names the file, the story and
 * the key, what was expected there, what came and where.
 */
export function readStories(path: string, known: Known): readonly Story[] {
  const text = readText(path);
  const json = parseJson(text);
  if (!json.ok) throw new Failure(`${path}: ${json.reason}${showPosition(json.position)}`);
  const { value } = json;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.length === 0) throw new Failure(`${path}: expected a story or a list of stories, got an empty list`);
  const names = new Set<string>();
  return values.map((each, index) => {
    const read = parseStory(each, known, names);
    if (read.ok) return read.story;
    const position = findPosition(text, [...(Array.isArray(value) ? [index] : []), ...read.problem.path]);
    throw new Failure(`${path}: ${nameStory(each, index)}: ${describe(read.problem, each)}${showPosition(position)}`);
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Failure(`expected stories at ${path}, ${describeState(error)}`, { cause: error });
  }
}

function parseStory(value: unknown, known: Known, names: Set<string>): ReadStory {
  const unread = findUnread(value);
  if (unread !== undefined)
    return { ok: false, problem: { path: unread, expected: "left out, as nothing reads a key of this name" } };
  const parsed = story.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue === undefined ? [] : getPlace(issue);
    return { ok: false, problem: { path, expected: issue?.message ?? "a story" } };
  }
  const { data } = parsed;
  const repeated = { path: ["name"], expected: "a name that no story before it has" };
  const problem = findStoryProblem(data, known) ?? (names.has(data.name) ? repeated : undefined);
  names.add(data.name);
  return problem === undefined ? { ok: true, story: data } : { ok: false, problem };
}

/** Where a `__proto__` stands: the checks pass it over, and it would be an expectation that nobody looks at. */
function findUnread(value: unknown): PropertyKey[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, child] of Object.entries(value)) {
    const behind = key === "__proto__" ? [] : findUnread(child);
    if (behind !== undefined) return [Array.isArray(value) ? Number(key) : key, ...behind];
  }
  return undefined;
}

function nameStory(value: unknown, index: number): string {
  const name = isRecord(value) ? value["name"] : undefined;
  return typeof name === "string" && name !== "" ? `story "${showText(name)}"` : `story ${index + 1}`;
}

function describe({ path, expected }: StoryProblem, value: unknown): string {
  if (path.length === 0) return `expected ${expected}, got ${showValue(value)}`;
  const place = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return `expected \`${showText(place.replace(/^\./, ""))}\` to be ${expected}, got ${showValue(getAt(value, path))}`;
}

function getAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    if (Array.isArray(found)) found = found[Number(key)];
    else found = isRecord(found) ? found[String(key)] : undefined;
  }
  return found;
}
