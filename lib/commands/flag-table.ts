/**
 * What the flags of a tool do to a run, by role. A role is a list of flags with blanks between: `--name` is a switch,
 * `--name=` takes a value, `-n|--name=` are two spellings of one flag.
 */
export interface FlagTable {
  /** Narrows the run. */
  readonly filter?: string;
  /** Changes what is checked or how strictly. Flags in no list count as these. */
  readonly config?: string;
  /** Selects workspace members or targets. */
  readonly project?: string;
  /** Names a file or folder to check. */
  readonly file?: string;
  /** Names the folder to run in. */
  readonly folder?: string;
  /** Names a file in the folder to run in. */
  readonly manifest?: string;
  /** Changes nothing of what is checked. */
  readonly noise?: string;
  /** With it the call checks nothing: help, lists, fixers, watch modes. */
  readonly inert?: string;
}

export interface Flag {
  /** The first of its spellings. */
  readonly name: string;
  readonly role: keyof FlagTable;
  readonly takesValue: boolean;
}

/** Flags that mean the same for nearly every tool. */
const commonFlags: FlagTable = {
  noise: "-v --verbose -q --quiet --silent --color --colors --no-color --no-colors --colour",
  inert: "-h --help -V --version",
};

/**
 * A flag by one of its spellings, first in the tool's own table, then in the shared one, then among flags that nearly every
 * tool has. Go's tools take `--run` for `-run`.
 */
export function findFlag(name: string, own: FlagTable, shared: FlagTable = {}): Flag | undefined {
  for (const table of [own, shared, commonFlags]) {
    const flags = readTable(table);
    const flag = flags.get(name) ?? (name.startsWith("--") ? flags.get(name.slice(1)) : undefined);
    if (flag !== undefined) return flag;
  }
  return undefined;
}

const roles = ["filter", "config", "project", "file", "folder", "manifest", "noise", "inert"] as const;

/** Tables are read when a call of their tool is seen, not when the program starts. */
const readTables = new WeakMap<FlagTable, ReadonlyMap<string, Flag>>();

function readTable(table: FlagTable): ReadonlyMap<string, Flag> {
  const known = readTables.get(table);
  if (known !== undefined) return known;
  const flags = new Map<string, Flag>();
  for (const role of roles) {
    for (const entry of (table[role] ?? "").split(/\s+/)) {
      if (entry === "") continue;
      const spellings = entry.replace(/=$/, "").split("|");
      const name = spellings[0] ?? entry;
      for (const spelling of spellings) flags.set(spelling, { name, role, takesValue: entry.endsWith("=") });
    }
  }
  readTables.set(table, flags);
  return flags;
}
