import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";

/** `unsettled`: somebody may be writing it still; the next look tells. */
export type Change = "none" | "unsettled" | "replaced";

/** A build takes less. */
const INTERVAL_MS = 5000;

/**
 * Calls `onReplaced` once when the program that this process runs was replaced by another, as a build or an update does. Gives the
 * function that ends the watch. Sources, which are edited all the time, are not watched.
 */
export function watchOwnVersion(program: string, onReplaced: () => void): () => void {
  const findChange = /\.[cm]?ts$/.test(program) ? undefined : trackProgram(program);
  if (findChange === undefined) return () => {};
  const timer = setInterval(() => {
    if (findChange() !== "replaced") return;
    clearInterval(timer);
    onReplaced();
  }, INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

/**
 * Notes what the program is now, through symbolic links, and gives the function that compares. What is missing or cannot be read is no
 * change, nor is a file with the same content; one that differs must look the same twice. Undefined: it cannot be read now.
 */
export function trackProgram(program: string): (() => Change) | undefined {
  let known = look(program);
  if (known === undefined) return undefined;
  const content = hash(program);
  let next: string | undefined;
  return () => {
    const seen = look(program);
    const isSettled = seen === next;
    next = seen;
    if (seen === undefined || seen === known) return "none";
    if (!isSettled) return "unsettled";
    const found = hash(program);
    if (found === undefined) return "unsettled";
    if (found !== content) return "replaced";
    known = seen;
    return "none";
  };
}

/** Changes with every write and every rename over it. */
function look(path: string): string | undefined {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path);
    return [dev, ino, size, mtimeMs, ctimeMs].join(" ");
  } catch {
    return undefined;
  }
}

function hash(path: string): string | undefined {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    return undefined;
  }
}
