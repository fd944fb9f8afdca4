import { onFirstUse } from "../../lib/first-use.ts";
import { A, DONE, RUNNING, UNABLE, UNCHECKED, UNDONE } from "./vocabulary.ts";

/** A part of a sentence's words; `to` is behind its last character, and both stand on a blank. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * What a reason must tell. Of "I could not" anything, of "I did not" what hinders anybody, and of all that may be said of a program what lies in the
 * agent's own surroundings.
 */
export type Need = "anything" | "hindrance" | "surroundings";

/** Where a sentence says that something is not verified. */
export interface Head extends Range {
  /** What is not verified stands behind it as an object, before it as a subject, or in its midst. */
  readonly claim: "behind" | "before" | Range;
  readonly needs: Need;
  /** What it says was not done can be done for another end than to check something. */
  readonly runs: boolean;
}

const OPENER =
  "(?:but|also|and|caveat|caveats|however|limitation|limitations|note|sadly|still|testing|tests|unfortunately|verification)(?: [,:—])?";
const STATE = `(?: (?:but|still|currently))?(?: ${UNCHECKED}| not${A}${DONE})${A}`;

/** "I could not verify". */
const FIRST_PERSON = onFirstUse(() => new RegExp(` (?<who>i|we)${A}(?:(?<unable>${UNABLE})|${UNDONE})(?= )`, "g"));
/** "Unable to test", with nobody named. */
const NO_PERSON = onFirstUse(() => new RegExp(`^(?: ${OPENER}){0,2}(?:${UNABLE}|${UNDONE})(?= )`));
/** "(I ran lint) but could not run". */
const SAME_PERSON = onFirstUse(() => new RegExp(` (?:but|and|though|yet|,)(?:${UNABLE}|${UNDONE})(?= )`));
/** "The import could not be tested", "... is untested", "... has not been run". */
const PASSIVE = onFirstUse(
  () =>
    new RegExp(
      `(?<!\\S (?:that|which|who))(?: (?:can|could)${A} not${A} be${A}${DONE}| (?:has|have|had)${A} not${A} been${A}${DONE}| (?:is|are|was|were)${A} not${A}(?: been)?${A}${DONE}| (?:is|are|was|were|remain|remains|stays)${A}(?: ${UNCHECKED}| not${A}${DONE}))${A}(?= (?:[^a-z0-9]|and|as|against|at|because|beyond|but|by|due|for|from|given|in|on|owing|since|so|under|with|without) )`,
    ),
);
/** "The import: not tested (...)". */
const BARE = onFirstUse(() => new RegExp(` [:—(|,;]${STATE}(?= )`));
/** "Not tested: the import (...)", "untested on Windows: ...". */
const LABEL = onFirstUse(
  () => new RegExp(`^${STATE}(?: [:—](?= )|(?= (?:against|at|because|for|in|on|since|under|with) ))`),
);
/** "I left the import untested". */
const LEFT = onFirstUse(
  () => new RegExp(` (?:i|we)${A} (?:left|leave|am leaving)(?<object>(?: \\S+){1,12}) ${UNCHECKED}${A}(?= )`),
);
/** "I skipped the e2e tests". */
const SKIPPED = onFirstUse(() => new RegExp(` (?:i|we)${A} (?:skipped|had to skip)(?: running)?(?= )`));

/** Where the words say that something is not verified, the surest reading first. */
export function findHeads(words: string): readonly Head[] {
  const behind = { claim: "behind", runs: false } as const;
  const same = SAME_PERSON().exec(words);
  const saidI = same !== null && / (?:i|we) /.test(words.slice(0, same.index + 1));
  return [
    ...[...words.matchAll(FIRST_PERSON())].map((found) =>
      toHead(found, { needs: getNeed(found.groups), claim: "behind" }),
    ),
    ...toHeads(LABEL().exec(words), { ...behind, needs: "anything" }),
    ...toHeads(NO_PERSON().exec(words), { claim: "behind" }),
    ...toHeads(saidI ? same : null, { claim: "behind" }),
    ...toHeads(SKIPPED().exec(words), { needs: "hindrance", claim: "behind", runs: true }),
    ...toHeads(LEFT().exec(words), { needs: "hindrance", claim: "within" }),
    ...toHeads(PASSIVE().exec(words), { claim: "before" }),
    ...toHeads(BARE().exec(words), { claim: "before", runs: false }),
  ];
}

interface HeadKind {
  readonly claim: "behind" | "before" | "within";
  /** Default: surroundings. */
  readonly needs?: Need;
  /** Default: by the verb. */
  readonly runs?: boolean;
}

function toHeads(found: RegExpExecArray | null, kind: HeadKind): readonly Head[] {
  return found === null ? [] : [toHead(found, kind)];
}

function toHead(found: RegExpExecArray, { claim, needs = "surroundings", runs }: HeadKind): Head {
  const { 0: text, index } = found;
  return {
    from: index,
    to: index + text.length,
    claim: claim === "within" ? findObject(found) : claim,
    needs,
    runs: runs ?? (needs !== "surroundings" && RUNNING.test(`${text} `)),
  };
}

function getNeed({ who, unable }: Readonly<Record<string, string>> = {}): Need {
  if (who !== "i") return "surroundings";
  return unable === undefined ? "hindrance" : "anything";
}

function findObject({ 0: text, index, groups }: RegExpExecArray): Range {
  const object = groups?.["object"] ?? "";
  const from = index + text.indexOf(`${object} `);
  return { from, to: from + object.length };
}
