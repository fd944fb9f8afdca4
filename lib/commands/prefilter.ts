import { tools } from "./tools/index.ts";

/**
 * Whether a command line can hold a check: a look at its text that is much cheaper than parsing it, for the many lines that
 * only read or edit. It may say yes to a line without a check, never no to a line with one: quotes and escapes cannot hide a
 * name from it, and a line that may put a name together from variables always passes.
 */
export function mayCheck(command: string): boolean {
  if (mayBuildWords.test(command)) return true;
  const text = command.replaceAll(/["'\\]|\\\r?\n/g, "");
  programs ??= readPrograms();
  return programs.test(text) || tools.some((tool) => tool.match?.hint.test(text) === true);
}

/** `py$X`, `${A}test`, `$RUNNER tests` after an assignment, and quotes whose escapes spell letters. */
const mayBuildWords = /\$'|[\w-]["']?\$\{?\w|\$(?:\w+["']+|\{\w+\}["']*)[\w-]|(?:^|[\s;&|(])\w+=[\s\S]*\$/;

let programs: RegExp | undefined;

/** The first words of all calls, as words of their own: `.go` and `go-task` are not `go`. */
function readPrograms(): RegExp {
  const words = new Set(tools.flatMap((tool) => tool.calls.map((call) => call.split(" ", 1)[0] ?? "")));
  words.delete("git");
  const names = [...words].map((word) => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`));
  return new RegExp(String.raw`(?<![\w.-])(?:${names.join("|")})(?:\.(?:exe|cmd|bat))?(?![\w-])|--check\b`, "i");
}
