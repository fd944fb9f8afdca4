import { isSystemError } from "../../lib/io/error-code.ts";
import { describeError } from "../describe-error.ts";
import { Failure } from "../failure.ts";
import type { CliIo } from "../io.ts";

/** Runs one part of a set-up verb, whose other parts go on when it cannot be done. False then, which is told under `what`. */
export async function attempt(what: string, run: () => void | Promise<void>, io: CliIo): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    if (!(error instanceof Failure) && !isSystemError(error)) throw error;
    io.err(`catstack ${what}: ${describeError(error)}`);
    return false;
  }
}
