import assert from "node:assert/strict";
import { Readable } from "node:stream";
import type { CliIo } from "../../cli/io.ts";

/** What a verb may touch where nothing is to be read or printed: a test overrides what it expects. */
export function makeIdleIo(cwd: string): CliIo {
  return {
    env: {},
    stdin: Readable.from([]),
    now: () => new Date(0),
    out: assert.fail,
    err: assert.fail,
    color: false,
    cwd,
  };
}
