import { findIdentity, openLogFile, type LogFile } from "./log-file.ts";

type OnLine = (line: string) => void;

/** The log and the older one that a rotation leaves, read as one. */
export interface Log {
  /** Gives the whole lines that came since, the older file's first, whatever a rotation has done to the names. */
  readLines(onLine: OnLine): void;
  /** Gives what has no line end yet, and closes the files. */
  close(onLine: OnLine): void;
}

/** A name of the log, and which file had it. */
interface Place {
  readonly name: string;
  readonly identity: string;
}

/**
 * Opens the log at `path`, which need not be there yet, and `path.1`; the last `lines` lines of both are read first.
 * Throws the system's error when one cannot be read.
 */
export function openLog(path: string, lines: number): Log {
  let files = openTail(path, lines);
  return {
    readLines(onLine) {
      const places = findPlaces(path);
      for (const file of files) file.readLines(onLine);
      const added = openOthers(places, files);
      for (const file of added) file.readLines(onLine);
      // Somebody who opened a file before a rotation may still write to it: it is held as long as it has a name.
      const [held, gone] = split(files, ({ identity }) => places.some((place) => place.identity === identity));
      for (const file of gone) file.close(onLine);
      files = [...held, ...added];
    },
    close(onLine) {
      for (const file of files) file.close(onLine);
    },
  };
}

function openTail(path: string, lines: number): LogFile[] {
  const newer = openLogFile(path, lines);
  const older = openLogFile(`${path}.1`, lines - (newer?.count ?? 0));
  // Rotated between the two: one file, opened by both of its names.
  if (older !== undefined && older.identity === newer?.identity) {
    older.close(() => {});
    return [newer];
  }
  return [older, newer].filter((file) => file !== undefined);
}

/** The older file first. Looked at the other way round: a file that a rotation moves in between is seen, if twice. */
function findPlaces(path: string): Place[] {
  const places = [path, `${path}.1`].map((name) => ({ name, identity: findIdentity(name) }));
  return places.toReversed().flatMap(({ name, identity }) => (identity === undefined ? [] : { name, identity }));
}

/** Opens the files that are not held yet. */
function openOthers(places: readonly Place[], held: readonly LogFile[]): LogFile[] {
  const added: LogFile[] = [];
  const isHeld = (identity: string) => [...held, ...added].some((file) => file.identity === identity);
  for (const { name, identity } of places) {
    const file = isHeld(identity) ? undefined : openLogFile(name);
    if (file === undefined) continue;
    // By now it may be another file that has the name.
    if (isHeld(file.identity)) file.close(() => {});
    else added.push(file);
  }
  return added;
}

function split<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter((item) => test(item)), items.filter((item) => !test(item))];
}
