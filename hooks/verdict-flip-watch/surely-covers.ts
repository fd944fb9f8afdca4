import type { Scope } from "../../lib/commands/check.ts";
import { covers, isSame } from "./covers.ts";
import { isRunner, isScriptFile } from "./runners.ts";

/**
 * Whether a pass of `wide` has shown that `narrow` passes: it covers it, and nothing that the commands tell speaks for another check. A setting more may
 * make a check laxer (`--skipLibCheck`, another `--config`), so the settings are the same; so is the container or machine.
 */
export function surelyCovers(wide: Scope, narrow: Scope): boolean {
  return (
    covers(wide, narrow) &&
    isSame(wide.config, narrow.config) &&
    isSame(wide.project.filter(isMachine), narrow.project.filter(isMachine)) &&
    isOfSameProject(wide, narrow)
  );
}

/** Containers and machines are named with the words that lead there: `docker exec web`. */
function isMachine(member: string): boolean {
  return member.includes(" ");
}

/** Tools take their configuration from the folder they start in; another folder or member has scripts of its own. */
function isOfSameProject(wide: Scope, narrow: Scope): boolean {
  if (isScriptFile(wide)) return isSame(wide.files, narrow.files) && isSame(wide.filters, narrow.filters);
  if (isRunner(wide)) return wide.cwd === narrow.cwd && isSame(wide.project, narrow.project);
  if (!isSame(wide.project, narrow.project) && !runsMembers.test(wide.tool)) return false;
  if (narrow.files.length === 0) return wide.files.length > 0 || wide.cwd === narrow.cwd;
  return (
    !leavesProject.test(wide.tool) || narrow.files.every((file) => !isSource.test(file) || wide.files.includes(file))
  );
}

/** Without the name of a member they run all of them. To others a project is another configuration: `tsc -p`, `gh run view 12`. */
const runsMembers = /^(?:cargo|jest|vitest|playwright)\b/;

/** With single files these compilers look at no project: `tsc a.ts` reads no tsconfig.json, `go vet a.go` no package. */
const leavesProject = /^(?:(?:vue-)?tsc|go (?:build|vet|test))$/;
const isSource = /\.(?:[cm]?tsx?|vue|go)$/;
