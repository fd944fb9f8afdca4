import { statSync } from "node:fs";
import { join } from "node:path";
import { cutStart } from "../../cut-text.ts";
import type { Payload } from "../../harness/payload.ts";
import { listDir } from "../list-dir.ts";
import { getStatePaths, type Env } from "../paths.ts";
import { makePrivateDir, replaceFile, unlinkQuietly } from "../publish-file.ts";
import { findSmallText } from "../read-small-file.ts";
import { shortHash } from "../transcript-key.ts";
import { createMark, isMarked, removeMark, type Mark } from "./once.ts";

/** No hook reads more. */
const MAX_REPLY = 100_000;
/** A reply and the end of its turn come within moments. */
const KEPT_MS = 3_600_000;
const MAX_KEPT = 200;

/** What is known of one turn, in the folder of replies. */
interface Turn {
  readonly replyPath: string;
  /** Its end was told. */
  readonly stopped: Mark;
  /** Its reply and its end have met. */
  readonly joined: Mark;
}

/**
 * Cursor tells the reply and the end of a turn to two processes. Whichever comes second gets the whole event, exactly one of them however often
 * and in whatever order they are started; undefined for every other. Of several replies of a turn the last that came before counts. A turn
 * that cannot be told from others is never whole. Throws the system's error.
 */
export function joinReply(payload: Payload, { env, now }: { env: Env; now: Date }): Payload | undefined {
  const { sessionId, turnId, event, reply } = payload;
  if (sessionId === undefined || turnId === undefined) return undefined;
  const { replies } = getStatePaths(env);
  const turn = getTurn(replies, JSON.stringify([sessionId, turnId]));
  if (isMarked(turn.joined, now)) return undefined;
  if (event === "Reply" && reply !== undefined) keepReply(turn, reply, replies, now);
  if (event === "Stop") createMark(turn.stopped, now);
  // Each has written its own part by now: of two at once, one at least finds both.
  const kept = findSmallText(turn.replyPath);
  const isWhole = kept !== undefined && isMarked(turn.stopped, now);
  const isOurs = isWhole && createMark(turn.joined, now);
  // Also what was written again while another joined them.
  if (isOurs || isMarked(turn.joined, now)) forget(turn);
  return isOurs ? { ...payload, event: "Stop", reply: kept } : undefined;
}

function forget({ replyPath, stopped }: Turn): void {
  unlinkQuietly(replyPath);
  removeMark(stopped);
}

function getTurn(dir: string, id: string): Turn {
  const name = shortHash(id);
  return {
    replyPath: join(dir, `${name}.reply`),
    stopped: { dir, name: `${name}.stopped`, content: "" },
    joined: { dir, name: `${name}.joined`, content: "" },
  };
}

function keepReply({ replyPath }: Turn, reply: string, dir: string, now: Date): void {
  makePrivateDir(dir);
  replaceFile(replyPath, cutStart(reply, MAX_REPLY));
  forgetOld(dir, now);
}

function forgetOld(dir: string, now: Date): void {
  const files = listDir(dir).map((name) => {
    const path = join(dir, name);
    return { path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  files.sort((a, b) => b.time - a.time);
  for (const [place, { path, time }] of files.entries()) {
    if (place >= MAX_KEPT || now.getTime() - time > KEPT_MS) unlinkQuietly(path);
  }
}
