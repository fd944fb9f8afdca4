import { holdsOneOf, listProcesses, readOpenFile } from "./proc.ts";

/** The far ends of a process's stdin, stdout and stderr, where they lead to us; empty where that cannot be seen. */
export function findPipesOf(pid: number): ReadonlySet<string> {
  const files = [0, 1, 2].map((fd) => readOpenFile(pid, fd) ?? "");
  return new Set(files.filter((file) => /^(?:socket|pipe):/.test(file)));
}

/**
 * The processes that hold one of these pipes and are no older than `since`: whoever does has it from the process that it was made
 * for. That is no proof of descent (an open file can be handed to a server that ran before), so they are told of and left alone.
 */
export function findHolders(pipes: ReadonlySet<string>, since: string | undefined): readonly number[] {
  if (pipes.size === 0 || since === undefined) return [];
  const young = listProcesses().filter(({ startTime }) => Number(startTime) >= Number(since));
  return young.filter(({ pid }) => holdsOneOf(pid, pipes)).map(({ pid }) => pid);
}
