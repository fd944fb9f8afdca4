import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Verdict } from "../inbox-schema/verdict.ts";
import { findLabel } from "../judge/labels.ts";
import { isDelivered, listVerdicts } from "../judge/outbox.ts";
import { getTranscriptKey } from "../lib/io/transcript-key.ts";
import { UsageError } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { openStateDir } from "./state-dir.ts";
import { formatList, formatVerdict, toVerdictJson } from "./verdicts/format.ts";
import { getVerdict } from "./verdicts/get-verdict.ts";
import { labelVerdict } from "./verdicts/label.ts";

/**
 * `catstack verdicts [ID] [--json] [--limit N] [--transcript PATH]`: newest first, or one in full. `catstack verdicts label ID right|wrong`:
 * keeps what a person says of one.
 */
export async function verdicts(args: readonly string[], io: CliIo): Promise<number> {
  if (args[0] === "label") return labelVerdict(args.slice(1), io);
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      limit: { type: "string", default: "20" },
      transcript: { type: "string" },
    },
  });
  const [id, ...others] = positionals;
  if (others.length > 0) throw new UsageError(`expected one id at most, got ${positionals.length}`);
  const paths = openStateDir(io.env);
  const withLabel = (verdict: Verdict) => ({ verdict, label: findLabel(paths, verdict) });
  if (id !== undefined) {
    const one = withLabel(getVerdict(id, paths));
    if (values.json) io.out(JSON.stringify(toVerdictJson(one)));
    else for (const line of formatVerdict(one, isDelivered(paths, one.verdict.id))) io.out(line);
    return 0;
  }
  const key = values.transcript === undefined ? undefined : getTranscriptKey(resolve(io.cwd, values.transcript));
  const { found, broken } = listVerdicts(paths, parseLimit(values.limit), key);
  for (const { path, reason } of broken) io.err(`catstack verdicts: ${path}: ${reason}`);
  const list = found.map(withLabel);
  if (values.json) io.out(JSON.stringify(list.map(toVerdictJson)));
  else for (const line of formatList(list, io.color)) io.out(line);
  return 0;
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text))
    throw new UsageError(`expected --limit to be a number from 1, got ${JSON.stringify(text)}`);
  return Number(text);
}
