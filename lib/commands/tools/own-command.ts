import type { Call } from "../shell/call.ts";
import type { Match, Tool, ToolCases } from "./tool.ts";

const verb = /^(?:lint|validate|check|verify|typecheck|selftest|self-test)$/;

/** Programs whose sub-command of such a name does something else. */
const others =
  /^(?:git|gh|apt|apt-get|brew|dnf|yum|pip|npm|pnpm|yarn|docker|kubectl|man|echo|printf|grep|rg|sed|awk|cat|ls|cp|mv|rm|mkdir|touch|export|set|unset|alias|type|hash|kill|test)$/;

/** A program's own sub-command that checks: `buf lint`, `spectral lint`, `openspec validate`, `flutter analyze`. */
export const ownCommandTools: readonly Tool[] = [
  {
    id: "check command",
    calls: [],
    match: { hint: /\b(?:lint|validate|check|verify|typecheck|self-?test)\b/, find: findOwnCommand },
    runsOthers: true,
    operands: "mixed",
    flags: { config: "--strict --fix", noise: "--json", inert: "--watch --list" },
    lines: {},
  },
];

function findOwnCommand(call: Call): Match | undefined {
  if (others.test(call.program) || !/^@?[\w.-]+(?:\/[\w.-]+)?$/.test(call.program)) return undefined;
  const words = call.args.filter((arg) => !arg.startsWith("-"));
  const word = words.slice(0, 2).find((each) => verb.test(each));
  if (word === undefined) return undefined;
  const from = call.args.indexOf(word);
  const name = [call.program, ...words.slice(0, words.indexOf(word) + 1)].join(" ");
  return { name, args: call.args.slice(from + 1), cwd: call.cwd, project: call.project };
}

export const ownCommandCases: ToolCases = {
  docs: {},
  checks: {
    "buf lint proto": "buf lint proto",
    "npx @redocly/cli lint api.yaml": "@redocly/cli lint api.yaml",
    "app config validate --strict": "app config validate",
  },
  ignored: [
    "gh pr checks --help",
    "echo lint",
    "man check",
    "git verify-commit HEAD",
    "docker compose config",
    "brew lint",
  ],
  different: [["app validate a.yml", "app validate b.yml"]],
  outputs: [
    { command: "app validate a.yml", text: "a.yml is valid", status: 0, verdict: "pass" },
    { command: "app validate a.yml | tail", text: "Error: Cannot read a.yml", verdict: "fail" },
    { command: "app validate a.yml", text: "a.yml: unknown key", status: 2, verdict: "fail" },
  ],
};
