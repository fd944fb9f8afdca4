import { parseArgs } from "node:util";
import { addHook } from "./add-hook.ts";
import { projectRoot } from "./folders.ts";

// `npm run new-hook -- NAME [--judged]`: writes hooks/NAME and its line in hooks/index.ts. Exit 2, and nothing is written, when it cannot.

const usage = `Usage: npm run new-hook -- NAME [--judged]

NAME      two or more words in small letters with dashes between them, such as stale-todo-check
--judged  a hook that asks a model; else one that the transcript alone proves`;

const request = readRequest();
if (request === undefined) fail(usage);
const { name, isJudged } = request;
const plan = addHook(projectRoot, name, isJudged ? "_template-judged" : "_template");
if ("problem" in plan) fail(plan.problem);
console.log(`${plan.files.map(({ path }) => `wrote ${path}`).join("\n")}

It runs already, and reports what the template reports. Next:
1. Tell sessions in hooks/${name}/cases.ts: where it must speak, and where it must not although it nearly would.
2. Write hooks/${name}/rule.ts${isJudged ? " and phrases.json" : ""} until \`npm run cases -- ${name}\` finds nothing.
3. Say what it does in hooks/${name}/README.md, then \`npm run fmt\` and \`npm test\`. The whole way: hooks/README.md.`);

function fail(why: string): never {
  console.error(why);
  process.exit(2);
}

function readRequest() {
  try {
    const { values, positionals } = parseArgs({ options: { judged: { type: "boolean" } }, allowPositionals: true });
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) return undefined;
    // Without `--` before it, npm takes the option for one of its own and says so in a variable.
    return { name, isJudged: values.judged === true || process.env["npm_config_judged"] === "true" };
  } catch {
    return undefined;
  }
}
