import type { Harness } from "../../lib/hook.ts";
import { emptyDigest, type Digest, type Fold } from "../../lib/transcript/digest.ts";
import type { Entry } from "../../lib/transcript/entry.ts";
import { foldRow } from "../../lib/transcript/fold.ts";
import { findRowFolder, findTurnMark, type TurnMark } from "./turn-marks.ts";

/** A moment at which the harness fired Stop, and what a hook saw then. */
export interface Turn {
  /** From 1: turns without a reply are none. */
  readonly number: number;
  /** When the reply was written, as the harness wrote it. */
  readonly at?: string;
  /** The last text of the assistant. */
  readonly reply: string;
  readonly cwd?: string;
  readonly digest: Digest;
}

/** What a file turned out to be: `other` holds rows in which nobody says or runs anything. */
export type SessionKind = "session" | "sub-agent" | "other";

/** Finds the turns of a transcript row by row. */
export interface TurnFinder {
  /** `undefined` stands for a broken line. */
  row(entries: readonly Entry[] | undefined, line: string): void;
  /** A line that can hold nothing of interest. */
  pass(isBroken: boolean): void;
  /** The transcript ends here. */
  end(): void;
  /** As of the last row. */
  readonly digest: Digest;
  getKind(): SessionKind;
}

/** A finder that has seen nothing yet. `fold` is the hooks' own. */
export function createTurnFinder(harness: Harness, fold: Fold, onTurn: (turn: Turn) => void): TurnFinder {
  let digest = emptyDigest;
  /** As of the last thing that the agent did: what comes until the next prompt, such as the end of a background command, no hook has seen. */
  let seen = emptyDigest;
  let reply: string | undefined;
  let at: string | undefined;
  let cwd: string | undefined;
  let number = 0;
  let isMain = false;
  let isSide = false;
  /** The client tells when a turn ends: then a prompt that comes before is one that was typed while it ran. */
  let tellsEnds = false;

  function endTurn(): void {
    if (reply === undefined) return;
    number += 1;
    const place = cwd ?? seen.cwd;
    onTurn({
      number,
      ...(at === undefined ? {} : { at }),
      reply,
      ...(place === undefined ? {} : { cwd: place }),
      digest: seen,
    });
    reply = undefined;
  }

  function heed(mark: TurnMark | undefined): void {
    if (mark === "ends") tellsEnds = true;
    if (mark === "ends" || (mark === "starts" && !tellsEnds)) endTurn();
    if (mark !== undefined) reply = undefined;
  }

  function look(entries: readonly Entry[]): void {
    const texts = entries.flatMap((entry) => (entry.kind === "reply" && !entry.sidechain ? [entry.text] : []));
    if (texts.length > 0) {
      reply = texts.join("\n");
      at = entries[0]?.at ?? at;
    }
    for (const { kind, sidechain } of entries) {
      if (!spoken.includes(kind)) continue;
      if (sidechain) isSide = true;
      else isMain = true;
    }
    if (entries.some(isWork)) seen = digest;
  }

  return {
    row(entries, line) {
      heed(findTurnMark(harness, line, entries ?? []));
      if (harness === "claude" && entries?.some(isPrompt) === true) cwd = findRowFolder(line) ?? cwd;
      digest = foldRow(fold, digest, entries);
      look(entries ?? []);
    },
    pass(isBroken) {
      digest = { ...digest, rows: digest.rows + 1, broken: digest.broken + (isBroken ? 1 : 0) };
    },
    end() {
      if (!tellsEnds) endTurn();
    },
    get digest() {
      return digest;
    },
    getKind() {
      if (digest.subagent === true || (isSide && !isMain)) return "sub-agent";
      return isMain ? "session" : "other";
    },
  };
}

const spoken: readonly Entry["kind"][] = ["human", "reply", "call"];

function isPrompt({ kind, sidechain }: Entry): boolean {
  return kind === "human" && !sidechain;
}

function isWork({ kind, sidechain }: Entry): boolean {
  return !sidechain && (kind === "reply" || kind === "call" || kind === "result" || kind === "poll");
}
