import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { projectRoot } from "./folders.ts";
import { planHook } from "./plan-hook.ts";

// `npm run new-hook -- NAME [--judged]`: writes hooks/NAME and its line in hooks/index.ts. Exit 2, and nothing is written, when it cannot.

const usage = `Usage: npm run new-hook -- NAME [--judged]

NAME      two or more words in small letters with dashes between them, such as stale-todo-check
--judged  a hook that asks a model; else one that the transcript alone proves`;

const args = readArgs();
if (args === undefined) {
  console.error(usage);
  process.exit(2);
}
const { name, template } = args;
const plan = planHook({
  name,
  template: { name: template, files: readFiles(join(projectRoot, "hooks", template)) },
  taken: readdirSync(join(projectRoot, "hooks")),
  index: readFileSync(join(projectRoot, "hooks/index.ts"), "utf8"),
});
if ("problem" in plan) {
  console.error(plan.problem);
  process.exit(2);
}
mkdirSync(join(projectRoot, "hooks", name));
for (const { path, text } of plan.files) writeFileSync(join(projectRoot, path), text);
console.log(`${plan.files.map(({ path }) => `wrote ${path}`).join("\n")}

It runs already, and reports what the template reports. Next:
1. Tell sessions in hooks/${name}/cases.ts: where it must speak, and where it must not although it nearly would.
2. Write hooks/${name}/rule.ts until \`npm run cases -- ${name}\` finds nothing${tellPhrases()}.
3. Say what it does in hooks/${name}/README.md, then \`npm test\`. The whole way: hooks/README.md.`);

function tellPhrases(): string {
  return existsSync(join(projectRoot, "hooks", name, "phrases.json")) ? "; the question is in phrases.json" : "";
}

function readArgs() {
  try {
    const { values, positionals } = parseArgs({ options: { judged: { type: "boolean" } }, allowPositionals: true });
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) return undefined;
    // Without `--` before it, npm takes the option for one of its own and says so in a variable.
    const isJudged = values.judged === true || process.env["npm_config_judged"] === "true";
    return { name, template: isJudged ? "_template-judged" : "_template" } as const;
  } catch {
    return undefined;
  }
}

function readFiles(folder: string) {
  return readdirSync(folder).map((path) => ({ path, text: readFileSync(join(folder, path), "utf8") }));
}
