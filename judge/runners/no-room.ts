import { closeSync, openSync } from "node:fs";

/** Pipes, the system's own pipe to a new process, and what is read about it at the same time. */
const FILES_OF_A_START = 16;

/**
 * Throws EMFILE or ENFILE when too few files can be opened to start a process. To be called before: Node.js reports a start that
 * fails for that by an event that nobody can listen to.
 */
export function requireSpareFiles(): void {
  const opened: number[] = [];
  try {
    while (opened.length < FILES_OF_A_START) opened.push(openSync("/dev/null", "r"));
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

/** Whether a start failed for want of memory, processes or open files: nothing is wrong with the command. */
export function isNoRoom(code: string | undefined): boolean {
  return code !== undefined && ["EAGAIN", "ENOMEM", "EMFILE", "ENFILE"].includes(code);
}
