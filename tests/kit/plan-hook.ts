/** A text file: its path, and what stands in it. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

export interface HookRequest {
  readonly name: string;
  /** The template: the name of its folder and its files. */
  readonly template: { readonly name: string; readonly files: readonly TextFile[] };
  /** Names that hooks have. */
  readonly taken: readonly string[];
  /** The text of hooks/index.ts. */
  readonly index: string;
}

/** Files to write, by their paths in the project; or why there are none. */
export type HookPlan = { readonly files: readonly TextFile[] } | { readonly problem: string };

/** Ids of jobs begin with the hook's name, and take no more of it. */
const MAX_NAME = 40;
const MAX_LINE = 120;

const FIRST = 'import type { Hook } from "../lib/hook.ts";\n';
const IMPORT = /^import \w+ from "\.\/([a-z-]+)\/rule\.ts";\n/gm;
const LIST = /^(export const hooks: readonly Hook\[\] = )\[[\w\s,]*\];/m;

/** A new hook: the template under its own name, and its line in the list of hooks. */
export function planHook({ name, template, taken, index }: HookRequest): HookPlan {
  const problem = findNameProblem(name) ?? findTaken(name, taken);
  if (problem !== undefined) return { problem };
  const listed = addToIndex(index, name);
  if (listed === undefined)
    return {
      problem:
        "expected hooks/index.ts to begin with the import of `Hook` and to list all rules in `hooks`, got other text; add the line by hand",
    };
  const files = template.files.map(({ path, text }) => ({
    path: `hooks/${name}/${path}`,
    text: text.replaceAll(template.name, name).replaceAll(toVariable(template.name), toVariable(name)),
  }));
  return { files: [...files, { path: "hooks/index.ts", text: listed }] };
}

/** Why a hook cannot have this name; undefined when it can. The linter tells a hook's folder from others by its dash. */
export function findNameProblem(name: string): string | undefined {
  if (/^[a-z]+(?:-[a-z]+)+$/.test(name) && name.length <= MAX_NAME) return undefined;
  return `expected a name of two or more words in small letters with dashes between them, such as stale-todo-check, ${MAX_NAME} characters at most, got ${JSON.stringify(name)}`;
}

function findTaken(name: string, taken: readonly string[]): string | undefined {
  return taken.includes(name) ? `expected a name that no hook has, got "${name}"; look at hooks/${name}` : undefined;
}

function addToIndex(index: string, name: string): string | undefined {
  if (!index.startsWith(FIRST) || !LIST.test(index)) return undefined;
  const listed = [...index.matchAll(IMPORT)].map(([, each = ""]) => each);
  const names = [...listed, name].toSorted();
  const imports = names.map((each) => `import ${toVariableName(each)} from "./${each}/rule.ts";\n`).join("");
  const rest = index.slice(FIRST.length).replace(IMPORT, "");
  return (
    FIRST + imports + rest.replace(LIST, (_, start: string) => start + writeList(start, names.map(toVariableName)))
  );
}

/** As the formatter writes it. */
function writeList(start: string, names: readonly string[]): string {
  const line = `[${names.join(", ")}];`;
  if (start.length + line.length <= MAX_LINE) return line;
  return `[\n${names.map((name) => `  ${name},\n`).join("")}];`;
}

function toVariableName(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** As it stands in the name of an environment variable. */
function toVariable(name: string): string {
  return name.toUpperCase().replaceAll("-", "_");
}
