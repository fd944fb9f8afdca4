/** Whether a command line can hold a check at all: a cheap look at its text before it is parsed. */
export function mayCheck(command: string): boolean {
  return command !== "";
}
