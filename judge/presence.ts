import { randomBytes } from "node:crypto";
import { getInstancePath, type Instance } from "../lib/io/instance.ts";
import type { StatePaths } from "../lib/io/paths.ts";
import { unlinkQuietly } from "../lib/io/publish-file.ts";
import { openClaims, type Claims } from "./claim.ts";
import { createInstance, writeInstance } from "./state/instance.ts";

/** What shows other watchers that this one lives, and what is its own. */
export interface Presence {
  readonly instance: Instance;
  readonly claims: Claims;
  /** Removes what shows that we live; the locks only where they are still ours. */
  leave(hasLocks: boolean): Promise<void>;
}

/** `onCompromised` is told when a lock of ours was taken away. Rejects with the system's error, and leaves no trace then. */
export async function enter(paths: StatePaths, now: Date, onCompromised: (error: Error) => void): Promise<Presence> {
  const instance = createInstance(now, randomBytes(4).toString("hex"));
  const hide = () => unlinkQuietly(getInstancePath(paths, instance.name));
  writeInstance(paths, instance);
  try {
    const claims = await openClaims(paths, instance.name, onCompromised);
    return {
      instance,
      claims,
      async leave(hasLocks) {
        if (hasLocks) await claims.close();
        hide();
      },
    };
  } catch (error) {
    hide();
    throw error;
  }
}
