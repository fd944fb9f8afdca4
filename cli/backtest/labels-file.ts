import { existsSync, readFileSync, realpathSync } from "node:fs";
import { stripUnseen, redactSecrets } from "../../lib/redact/redact-secrets.ts";
import { replaceFile } from "../../lib/io/publish-file.ts";
import { describeState } from "../describe-error.ts";
import { Failure } from "../failure.ts";
import { getShortPath } from "./case-id.ts";
import { mergeCases, parseLabels, type Case, type CaseState, type Label } from "./label-lines.ts";
import { readTurns } from "./read-turns.ts";
import type { Candidate } from "./select-cases.ts";

/** As much as a hook judges. */
const MAX_REPLY = 4000;
const MAX_USER = 1000;

/** Throws a Failure when there is no such file, or a line of it is wrong. */
export function readLabels(path: string): readonly Label[] {
  return parseLabels(readText(path), path);
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Failure(`expected a file of labels at ${path}, ${describeState(error)}`, { cause: error });
  }
}

/** Adds cases to a file in one step and gives how many were not in it; makes it where there is none. Throws a Failure as `readLabels`. */
export function addCases(path: string, cases: readonly Case[]): number {
  const isThere = existsSync(path);
  const { text, added } = mergeCases(isThere ? readText(path) : "", cases, path);
  try {
    // A link stays one.
    replaceFile(isThere ? realpathSync(path) : path, text, true);
  } catch (error) {
    throw new Failure(`expected to be able to write ${path}, ${describeState(error)}`, { cause: error });
  }
  return added;
}

/** Reads the sessions of the candidates once more, for what was said. In their order; those of a file that has gone are left out. */
export function readCases(
  candidates: readonly Candidate[],
  getState: (candidate: Candidate) => CaseState,
): readonly Case[] {
  const wanted = new Map<string, Candidate[]>();
  for (const each of candidates) wanted.set(each.path, [...(wanted.get(each.path) ?? []), each]);
  const cases = new Map<string, Case>();
  for (const [path, ofFile] of wanted) {
    readTurns(path, (_, { number, reply, digest }) => {
      for (const candidate of ofFile)
        if (candidate.turn === number)
          cases.set(candidate.id, toCase(candidate, getState(candidate), reply, digest.lastHuman));
    });
  }
  return candidates.flatMap(({ id }) => cases.get(id) ?? []);
}

function toCase(candidate: Candidate, outcome: CaseState, reply: string, user: string | undefined): Case {
  const { id, hook, path, turn, at, firing } = candidate;
  const says = firing?.says.join("\n") ?? "";
  return {
    hit: null,
    hook,
    rule: firing?.rules.join(" ") ?? "",
    outcome,
    ...(says === "" ? {} : { says }),
    ...(user === undefined ? {} : { user: toShownEnd(user, MAX_USER) }),
    reply: toShownEnd(reply, MAX_REPLY),
    at,
    transcript: getShortPath(path),
    turn,
    id,
  };
}

/** Redacted before it is cut. */
function toShownEnd(text: string, length: number): string {
  const plain = redactSecrets(stripUnseen(text));
  return plain.length <= length ? plain : `…${plain.slice(1 - length).replace(/^[\uDC00-\uDFFF]/, "")}`;
}
