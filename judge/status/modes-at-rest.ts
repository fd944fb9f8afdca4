import type { Mode } from "../../inbox-schema/job.ts";
import { describeCall, hash } from "../runners/identify.ts";
import type { Selection } from "../select.ts";
import type { Rests } from "../state/rests-file.ts";

/** A mode of which nobody can be asked. */
export interface ModeAtRest {
  readonly mode: Mode;
  /** When the first of its runners may be asked again; ISO 8601. */
  readonly until: string;
}

const MODES = ["default", "investigate"] as const;

/** The modes whose runners all rest. Pure. */
export function findModesAtRest(rests: Rests, choose: (mode: Mode) => Selection): ModeAtRest[] {
  return MODES.flatMap((mode) => {
    const selection = choose(mode);
    if (!selection.ok) return [];
    const ends = selection.runners.map((runner) => rests[hash(describeCall(runner, mode))]?.until);
    if (!ends.every((end) => end !== undefined)) return [];
    const first = Math.min(...ends.map((end) => Date.parse(end)));
    return Number.isFinite(first) ? [{ mode, until: new Date(first).toISOString() }] : [];
  });
}

/** What that means, a line each; one where it is so for all jobs. Pure. */
export function describeModesAtRest(modes: readonly ModeAtRest[]): string[] {
  if (modes.length < MODES.length)
    return modes.map(
      ({ mode, until }) => `no runner of ${mode} can be asked until ${until}: every such job becomes unchecked`,
    );
  const first = modes.map(({ until }) => until).sort()[0];
  return [`no runner can be asked until ${first}: every job becomes unchecked`];
}
