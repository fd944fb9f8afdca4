import { closeSync, constants, openSync, writeFileSync } from "node:fs";

/**
 * Opens a file to add to its end; where there is none it is made, private. Nobody is waited for: a named pipe that nobody reads is an error.
 * Throws the system's error.
 */
export function openToAppend(path: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
  return openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
}

/** Adds a text to the end of a file that is opened so. Throws the system's error. */
export function appendText(path: string, text: string | Buffer): void {
  const fd = openToAppend(path);
  try {
    writeFileSync(fd, text);
  } finally {
    closeSync(fd);
  }
}
