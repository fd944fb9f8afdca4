import type { RunnerEntry } from "../../inbox-schema/settings.ts";
import type { Env } from "../../lib/io/paths.ts";
import { getClaudeVariables } from "./claude.ts";
import type { CodexProvider } from "./codex-provider.ts";
import { getCodexVariables } from "./codex.ts";
import { getCursorVariables } from "./cursor-agent.ts";
import { passPrompt } from "./prompt.ts";
import type { Runner } from "./runner.ts";

const PLACEHOLDER = "{prompt}";

/**
 * A runner that a person wrote as `[name, [argv...]]`. A prompt of more than 100 KiB comes by stdin and its items are left out.
 * It sees what every runner sees, and the keys of codex, claude or cursor-agent when that is its program.
 */
export function createCustomRunner([name, argv]: RunnerEntry, provider: CodexProvider): Runner {
  const [file = "", ...args] = argv;
  return {
    name,
    invoke: (prompt) =>
      passPrompt(prompt, {
        file,
        asArgument: (text) => args.map((item) => (item === PLACEHOLDER ? text : item)),
        fromStdin: args.filter((item) => item !== PLACEHOLDER),
      }),
    getVariables: (parent) => getVariables(file, parent, provider),
  };
}

/** What keeps an entry of the right shape from being run, in the words of "expected ... to be ..., got ..."; undefined: nothing. */
export function findEntryProblem([, argv]: RunnerEntry):
  | { readonly expected: string; readonly got: string }
  | undefined {
  const [file = ""] = argv;
  if (file === "" || file === PLACEHOLDER)
    return { expected: "a program and its arguments", got: `the program "${file}"` };
  if (file.includes("/") && !file.startsWith("/")) {
    // A relative path would be looked up in the folder that is being judged.
    return { expected: "a program by bare name or absolute path", got: `"${file}"` };
  }
  return argv.some((item) => item.includes("\0"))
    ? { expected: "arguments without NUL characters", got: "one with a NUL" }
    : undefined;
}

function getVariables(file: string, parent: Env, provider: CodexProvider): readonly string[] {
  switch (file.slice(file.lastIndexOf("/") + 1)) {
    case "codex":
      return getCodexVariables(provider);
    case "claude":
      return getClaudeVariables(parent);
    case "cursor-agent":
      return getCursorVariables();
    default:
      return [];
  }
}
