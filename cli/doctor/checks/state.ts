import { quoteForShell } from "../../../lib/quote-for-shell.ts";
import type { OwnershipProblem } from "../../../lib/io/ownership.ts";
import { ok, problem, type Check } from "../check.ts";

export interface StateFacts {
  readonly root: string;
  /** Why the folder or the way to it is not in our hands alone; undefined: it is. */
  readonly ownership: OwnershipProblem | undefined;
  /** Undefined: it is not there yet. */
  readonly folder:
    | {
        /** Permission bits. */
        readonly mode: number;
        readonly isFolder: boolean;
        readonly isWritable: boolean;
      }
    | undefined;
  /** On the file system where it is or will be; undefined: the system does not tell. */
  readonly space: { readonly bytes: number; readonly files: number | undefined } | undefined;
}

/** Less than this and the next verdict may not be written. */
const LEAST_BYTES = 10 * 1024 * 1024;
const LOW_BYTES = 200 * 1024 * 1024;

/** Whether state can be kept, and kept from others. Pure. */
export function checkState({ root, ownership, folder, space }: StateFacts): Check[] {
  return [checkFolder(root, ownership, folder), checkSpace(space)];
}

function checkFolder(root: string, ownership: StateFacts["ownership"], folder: StateFacts["folder"]): Check {
  const name = "state folder";
  const orElse = "or name another folder in CATSTACK_LLM_JUDGE_STATE_DIR";
  if (ownership !== undefined) {
    const says = `hooks and judge do not use ${root}: ${ownership.got}`;
    return problem("fail", name, says, `${ownership.mend}, ${orElse}`);
  }
  if (folder === undefined) return ok(name, `${root} will be made when it is needed`);
  if (!folder.isFolder) return problem("fail", name, `${root} is no folder`, `move it away, ${orElse}`);
  if (!folder.isWritable) return problem("fail", name, `${root} cannot be written`, `make it so, ${orElse}`);
  const mode = folder.mode.toString(8).padStart(4, "0");
  if ((folder.mode & 0o077) !== 0)
    return problem(
      "warn",
      name,
      `${root} has mode ${mode}: others may look into it`,
      `run: chmod 700 ${quoteForShell(root)}`,
    );
  return ok(name, `${root}, mode ${mode}`);
}

function checkSpace(space: StateFacts["space"]): Check {
  const name = "free space";
  if (space === undefined) return problem("unknown", name, "the system does not tell", "see: df");
  const megabytes = `${Math.floor(space.bytes / 1024 / 1024)} MB`;
  if (space.files === 0) return problem("fail", name, "no file more can be made (no inodes left)", "remove some files");
  if (space.bytes < LEAST_BYTES) return problem("fail", name, megabytes, "make room");
  return space.bytes < LOW_BYTES ? problem("warn", name, megabytes, "make room") : ok(name, megabytes);
}
