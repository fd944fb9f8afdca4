import { parseArgs } from "node:util";
import { hooks as allHooks } from "../hooks/index.ts";
import type { Hook } from "../lib/hook.ts";
import type { CliIo } from "./io.ts";
import { parseSince } from "./parse-since.ts";
import { openStateDir } from "./state-dir.ts";
import { formatStats } from "./stats/format.ts";
import { readRecords } from "./stats/read-records.ts";
import { tallyByHook } from "./stats/tally.ts";
import { toTallyJson } from "./stats/to-json.ts";

/** `catstack stats [--json] [--since 14d]`: what each hook did, and how often it was right as far as labels tell. */
export async function stats(
  args: readonly string[],
  io: CliIo,
  hooks: readonly Pick<Hook, "id">[] = allHooks,
): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { json: { type: "boolean", default: false }, since: { type: "string" } },
  });
  const now = io.now();
  const since = values.since === undefined ? undefined : parseSince(values.since, now);
  const records = readRecords(openStateDir(io.env), since);
  for (const path of records.broken)
    io.err(`catstack stats: not counted: ${path}, which is broken; correct or remove it`);
  const ids = hooks.map(({ id }) => id);
  const tallies = tallyByHook(ids, records);
  if (values.json)
    io.out(
      JSON.stringify({
        since: since?.toISOString() ?? null,
        until: now.toISOString(),
        hooks: tallies.map(toTallyJson),
      }),
    );
  else for (const line of formatStats(tallies)) io.out(line);
  return 0;
}
