import { parseArgs } from "node:util";
import { openProgress } from "./backtest/progress.ts";
import type { Check } from "./doctor/check.ts";
import { formatChecks, hasFailed } from "./doctor/format.ts";
import { gatherChecks } from "./doctor/gather.ts";
import { probe } from "./doctor/probe/probe.ts";
import { UsageError } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { getDistDir } from "./setup/places.ts";

/**
 * `catstack doctor [--json]`: looks at everything that has to be right and says what to do about what is not. 1 when something fails. With `--probe` the runners of investigate
 * jobs are asked to break their bounds instead: 1 too when that could not be told.
 */
export async function doctor(args: readonly string[], io: CliIo): Promise<number> {
  const boolean = { type: "boolean", default: false } as const;
  const { values } = parseArgs({ args: [...args], options: { json: boolean, probe: boolean, yes: boolean } });
  if (values.yes && !values.probe) throw new UsageError("expected --yes beside --probe, got it alone; leave it out");
  if (!values.probe) {
    const progress = openProgress(process.stderr);
    progress.say("looking, and trying hooks and model CLIs: some seconds");
    const looking = gatherChecks({ env: io.env, dist: getDistDir(import.meta.url), now: io.now() });
    const checks = await looking.finally(() => progress.clear());
    print(checks, hasFailed(checks), values.json, io);
    return hasFailed(checks) ? 1 : 0;
  }
  const checks = await probe(values.yes, io);
  if (checks === undefined) {
    io.err("nothing was asked");
    return 1;
  }
  const isProven = checks.every(({ level }) => level === "ok");
  print(checks, !isProven, values.json, io);
  return isProven ? 0 : 1;
}

function print(checks: readonly Check[], failed: boolean, json: boolean, io: CliIo): void {
  if (json) io.out(JSON.stringify({ ok: !failed, checks }));
  else for (const line of formatChecks(checks, io.color)) io.out(line);
}
