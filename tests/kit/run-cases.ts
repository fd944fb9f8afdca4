import { checkHook } from "./check-hook.ts";
import { listHookFolders, projectRoot, templates } from "./folders.ts";
import { formatFinding } from "./problem.ts";
import { findNearest } from "../../lib/nearest.ts";

// `npm run cases [-- HOOK...]`: the cases of these hooks, or of all. Prints what differs and nothing else; exit 1 when something does, 2 for
// a hook that is not there.

const all = [...listHookFolders(projectRoot), ...templates];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  for (const name of unknown) console.error(`expected the folder of a hook in hooks/, got ${name}${suggest(name)}`);
  process.exit(2);
}
for (const folder of wanted.length > 0 ? wanted : all) await run(folder);

async function run(folder: string): Promise<void> {
  const findings = await checkHook(projectRoot, folder);
  const failed = findings.filter(({ problems }) => problems.length > 0);
  for (const finding of failed) console.log(`${folder}, ${formatFinding(finding)}\n`);
  if (failed.length === 0) console.log(`${folder}: ${findings.length - 1} cases hold`);
  else process.exitCode = 1;
}

function suggest(name: string): string {
  const near = findNearest(name, all);
  return near === undefined ? "" : `; did you mean ${near}?`;
}
