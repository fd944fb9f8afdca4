import { accessSync, constants, existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { stripUnseen, redactSecrets } from "../../lib/redact/redact-secrets.ts";
import { replaceFile } from "../../lib/io/publish-file.ts";
import { readSmallFile, type SmallFile } from "../../lib/io/read-small-file.ts";
import { describeState } from "../describe-error.ts";
import { Failure } from "../failure.ts";
import { getShortPath } from "./case-id.ts";
import { mergeCases, parseLabels, type Case, type CaseState, type Label } from "./label-lines.ts";
import { readTurns, type OnTurn } from "./read-turns.ts";
import type { Candidate } from "./select-cases.ts";
import { tryTranscript } from "./try-transcript.ts";

/** As much as a hook judges. */
const MAX_REPLY = 4000;
const MAX_USER = 1000;
/** Some thousands of cases fill a tenth of it. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Throws a Failure when there is no such file, or a line of it is wrong. */
export function readLabels(path: string): readonly Label[] {
  try {
    return parseLabels(readFileSync(path, "utf8"), path);
  } catch (error) {
    throw error instanceof Failure ? error : refuse(path, error);
  }
}

function refuse(path: string, error: unknown): Failure {
  return new Failure(`expected a file of labels at ${path}, ${describeState(error)}`, { cause: error });
}

/** Throws as `addCases` would, before there are cases: what costs money comes in between. */
export function checkCaseFile(path: string): void {
  parseLabels(readCaseFile(path), path);
  attemptWrite(path, (target) => accessSync(dirname(target), constants.W_OK | constants.X_OK));
}

/** Empty where there is none. Only a regular file: it is replaced later, and a device or a pipe is not to be. */
function readCaseFile(path: string): string {
  let file: SmallFile;
  try {
    file = readSmallFile(path, MAX_FILE_BYTES);
  } catch (error) {
    throw refuse(path, error);
  }
  if (file.is === "other") throw new Failure(`${file.reason} (${path}); name another file for --export`);
  return file.is === "nothing" ? "" : file.bytes.toString("utf8");
}

function attemptWrite(path: string, write: (target: string) => void): void {
  try {
    // A link stays one.
    write(existsSync(path) ? realpathSync(path) : path);
  } catch (error) {
    throw new Failure(`expected to be able to write ${path}, ${describeState(error)}`, { cause: error });
  }
}

/**
 * Adds cases to a file in one step and gives how many were not in it; makes it where there is none. Throws a Failure as `readLabels`, and for what is no
 * file or cannot be written.
 */
export function addCases(path: string, cases: readonly Case[]): number {
  const { text, added } = mergeCases(readCaseFile(path), cases, path);
  attemptWrite(path, (target) => replaceFile(target, text, true));
  return added;
}

/**
 * Reads the sessions of the candidates once more, for what was said. In their order; those of a file that has gone are left out, and `tell`
 * hears of it.
 */
export async function readCases(
  candidates: readonly Candidate[],
  getState: (candidate: Candidate) => CaseState,
  tell: (problem: string) => void,
): Promise<readonly Case[]> {
  const wanted = new Map<string, Candidate[]>();
  for (const each of candidates) wanted.set(each.path, [...(wanted.get(each.path) ?? []), each]);
  const cases = new Map<string, Case>();
  for (const [path, ofFile] of wanted) {
    const onTurn: OnTurn = (_, { number, reply, digest }) => {
      for (const candidate of ofFile)
        if (candidate.turn === number)
          cases.set(candidate.id, toCase(candidate, getState(candidate), reply, digest.lastHuman));
    };
    await tryTranscript(path, () => readTurns(path, onTurn), { tell });
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
