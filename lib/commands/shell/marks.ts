/** What `echo` or `printf` prints, as far as the command line tells. */
export interface Printed {
  /** The literal text, without quotes; undefined when an expansion is part of it. */
  readonly text?: string;
  /** The literal text right before the exit status of the last command (`$?`). */
  readonly beforeStatus?: string;
  /** The literal text right before the exit status of the first command of the last pipe. */
  readonly beforePipeStatus?: string;
}

/** Checks are stored: a longer text is not worth it. */
const longestMark = 200;

export function isPrinting(program: string | undefined): boolean {
  return program === "echo" || program === "printf";
}

/** Reads the words behind a printing program. */
export function parsePrinted(args: readonly string[]): Printed {
  const words = args.filter((arg, index) => !(index === 0 && /^-[neE]+$/.test(arg)));
  const text = words.join(" ").replace(/\\n$/, "");
  const beforeStatus = /^([^$`]*)\$(?:\?|\{\?\})/.exec(text)?.[1];
  if (beforeStatus !== undefined) return { beforeStatus };
  const beforePipeStatus = /^([^$`]*)\$\{(?:PIPESTATUS\[0\]|pipestatus\[1\])\}/.exec(text)?.[1];
  if (beforePipeStatus !== undefined) return { beforePipeStatus };
  const printed = text.trim();
  return /[$`%]/.test(printed) || printed === "" || printed.length > longestMark ? {} : { text: printed };
}
