/** Processes of a job's runner that could not be ended, and its name where that is known. */
export interface Survivors {
  readonly id: string;
  readonly runner?: string | undefined;
  readonly pids: readonly number[];
}

/** What they are called among the errors. */
export function nameSurvivors({ id, runner }: Omit<Survivors, "pids">): string {
  return `${runner === undefined ? "the runner" : `runner ${runner}`} of job ${id}`;
}

export function describeSurvivors(pids: readonly number[]): string {
  return `expected every process of it to be gone, could not end ${pids.join(", ")}; look what they are and end them`;
}
