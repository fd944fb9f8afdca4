import { errorCode } from "../../lib/io/error-code.ts";
import type { Complaints } from "../health/complaints.ts";

/** Which job files fail, and how. On a full disk all of them do: what fails alike is told of once. */
export interface FailingFiles {
  failed(name: string, error: unknown): void;
  worked(name: string): void;
  /** Forgets the names that are not `isKept`. */
  forget(isKept: (name: string) => boolean): void;
}

export function createFailingFiles(complaints: Complaints): FailingFiles {
  const kinds = new Map<string, string>();
  const isMet = (wanted: string) => [...kinds.values()].includes(wanted);
  const describe = (kind: string) => `job files (${kind})`;

  function worked(name: string): void {
    const kind = kinds.get(name);
    kinds.delete(name);
    if (kind !== undefined && !isMet(kind)) complaints.worked(describe(kind));
  }

  return {
    worked,
    failed(name, error) {
      const kind = errorCode(error) ?? (error instanceof Error ? error.name : "error");
      if (!isMet(kind)) complaints.failed(describe(kind), `${name}: ${String(error)}; others like it are not told of`);
      if (kinds.get(name) !== kind) worked(name);
      kinds.set(name, kind);
    },
    forget(isKept) {
      for (const name of kinds.keys()) if (!isKept(name)) worked(name);
    },
  };
}
