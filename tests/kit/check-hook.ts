import { checkCase } from "./check-case.ts";
import { checkSuite, groups } from "./check-suite.ts";
import { loadCases, loadRule } from "./load-hook.ts";
import type { Finding } from "./problem.ts";

/** A finding for every case of a hook, and a last one for all together; those without problems hold. */
export async function checkHook(root: string, folder: string): Promise<readonly Finding[]> {
  try {
    return await runCases(root, folder);
  } catch (error) {
    const got = error instanceof Error ? error.message : String(error);
    return [{ where: "loading", problems: [{ what: `hooks/${folder}`, expected: "a rule and its cases", got }] }];
  }
}

async function runCases(root: string, folder: string): Promise<readonly Finding[]> {
  const hook = await loadRule(root, folder);
  const cases = await loadCases(root, folder);
  const said = new Set<string>();
  const findings = groups.flatMap((group) =>
    cases[group].map((each): Finding => {
      const result = checkCase(hook, group, each);
      for (const id of result.said) said.add(id);
      return { where: `${group}: ${each.name}`, problems: result.problems };
    }),
  );
  return [...findings, { where: "all cases together", problems: checkSuite(hook, cases, said) }];
}
