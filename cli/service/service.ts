/** What a supervisor is to run, and for whom. Every text is free of control characters, every path absolute. */
export interface Service {
  /** Node, its switches and our bundle; the verb and its options follow. */
  readonly program: readonly [node: string, ...args: string[]];
  /** PATH first, then what was set when this was asked for and decides where things are. */
  readonly variables: readonly (readonly [name: string, value: string])[];
  readonly home: string;
  readonly user: string;
  readonly uid: number;
  readonly gid: number;
  /** `$XDG_CONFIG_HOME`, else `~/.config`. */
  readonly configHome: string;
  readonly stateDir: string;
  /** The folders in it where jobs lie that a watcher has to see to: dropped ones, and those of a watcher that died. */
  readonly jobDirs: readonly string[];
  /** Where the model CLIs keep their logins. */
  readonly claudeDir: string;
  readonly codexDir: string;
}

/** A program and its arguments. */
export type Argv = readonly [program: string, ...args: string[]];

export interface ServiceFile {
  readonly path: string;
  readonly text: string;
}

/** One way to keep `catstack watch` running. */
export interface Form {
  readonly name: string;
  /** What it is, for one line of a list. */
  readonly summary: string;
  /** What the supervisor reads, signed (see `sign`). Pure. */
  getFiles(service: Service): readonly ServiceFile[];
  /** What starts it once the files are there, what takes changed files over, and what stops it, in this order. Pure. */
  getStart(service: Service): readonly Argv[];
  getUpdate(service: Service): readonly Argv[];
  getStop(service: Service): readonly Argv[];
  /** Whether these commands touch nothing but the user's own and are run, or need root or were never tried and are told. */
  readonly runsItsCommands: boolean;
  /** Where a person sets a variable for the service, to be read behind "set them in". */
  readonly variablesPlace: string;
  /** What else a person has to know after an install, a line each. */
  readonly remarks: readonly string[];
}
