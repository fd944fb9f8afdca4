import { ID_PATTERN } from "../../inbox-schema/fields.ts";
import type { Verdict } from "../../inbox-schema/verdict.ts";
import { readVerdict } from "../../judge/outbox.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { Failure } from "../failure.ts";

const SHOWN = 3;

/** The verdict of this id, or the only one whose id begins so. Throws a Failure that says what to name instead. */
export function getVerdict(text: string, paths: StatePaths): Verdict {
  const id = getId(text, paths);
  const verdict = readVerdict(paths, id);
  if (verdict === undefined)
    throw new Failure(
      `expected a verdict in ${paths.outbox}/${id}.json, got something else; \`catstack verdicts\` says what`,
    );
  return verdict;
}

function getId(text: string, paths: StatePaths): string {
  const ids = ID_PATTERN.test(text) ? listIds(paths) : [];
  const matches = ids.includes(text) ? [text] : ids.filter((id) => id.startsWith(text));
  const [first, ...others] = matches;
  if (first === undefined)
    throw new Failure(`expected the id of a verdict, got ${JSON.stringify(text)}; \`catstack verdicts\` lists them`);
  if (others.length === 0) return first;
  const shown = matches.slice(0, SHOWN).join(", ") + (matches.length > SHOWN ? ", ..." : "");
  throw new Failure(
    `expected the id of one verdict, got ${text}, with which ${matches.length} begin (${shown}); add letters`,
  );
}

function listIds(paths: StatePaths): string[] {
  return listDir(paths.outbox)
    .flatMap((name) => (name.endsWith(".json") && !name.startsWith(".") ? [name.slice(0, -".json".length)] : []))
    .sort();
}
