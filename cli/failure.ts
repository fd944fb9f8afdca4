/** The command was called the wrong way: printed with the verb's usage, exit 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What was asked for cannot be done: printed as it is, without a stack, exit 1. */
export class Failure extends Error {
  override readonly name = "Failure";
}
