/** The switches in a call, without their values; what stands behind `--` is none. */
export function listSwitches(args: readonly string[]): string[] {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  return own.flatMap((item) => /^--?[A-Za-z][\w-]*/.exec(item)?.[0] ?? []);
}

/** Those that a help text does not list. */
export function findMissingSwitches(switches: readonly string[], help: string): string[] {
  const listed = new Set(help.match(/(?<![\w-])--?[A-Za-z][\w-]*/g));
  return switches.filter((each) => !listed.has(each));
}
