import { describe, test } from "node:test";
import { checkHook } from "./kit/check-hook.ts";
import { listHookFolders, projectRoot, templates } from "./kit/folders.ts";
import { formatFinding } from "./kit/problem.ts";

/** Says what differs and nothing else: where it was thrown is of no use. */
class CaseError extends Error {
  override stack = "";
}

for (const folder of [...listHookFolders(projectRoot), ...templates]) {
  const findings = await checkHook(projectRoot, folder);
  describe(folder, () => {
    for (const finding of findings) {
      test(finding.where, () => {
        if (finding.problems.length > 0) throw new CaseError(formatFinding(finding));
      });
    }
  });
}
