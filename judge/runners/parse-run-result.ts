import { parseAnswer } from "./answer.ts";
import { getComplaint, getTail, type Failure } from "./failure.ts";
import { findLastingFailure } from "./lasting.ts";
import type { Answer } from "./runner.ts";
import { MAX_OUTPUT_BYTES, type Ended, type NotStarted, type RunResult } from "./spawn.ts";
import type { StopReason } from "./supervise.ts";

/** What came of running a CLI. */
export type Reading =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly failure: Failure };

/** Only a CLI that ended by itself, with 0, has answered; `timeoutMs` is the limit it ran under. Pure. */
export function parseRunResult(result: RunResult, timeoutMs: number): Reading {
  if (!result.started) return fail(getStartFailure(result));
  if (result.stopped !== undefined) return fail(getStopFailure(result.stopped, timeoutMs));
  if (result.exitCode !== 0) return fail(getExitFailure(result));
  const answer = parseAnswer(result.stdout);
  return answer === undefined ? fail({ kind: "no-answer", detail: getTail(result.stdout) }) : { ok: true, answer };
}

function fail(failure: Failure): Reading {
  return { ok: false, failure };
}

function getStartFailure({ code, cwdMissing }: NotStarted): Failure {
  if (cwdMissing) return { kind: "not-started", detail: "its folder is gone" };
  return code === "ENOENT" ? { kind: "not-installed", detail: "" } : { kind: "not-started", detail: code };
}

function getStopFailure(stopped: StopReason, timeoutMs: number): Failure {
  const details = {
    "timed-out": `${timeoutMs / 1000}s`,
    "output-too-large": `${MAX_OUTPUT_BYTES} bytes`,
    aborted: "",
  };
  return { kind: stopped, detail: details[stopped] };
}

function getExitFailure({ exitCode, signal, stdout, stderr }: Ended): Failure {
  if (exitCode === null) return { kind: "killed", detail: signal ?? "an unknown signal" };
  const lasting = findLastingFailure({ exitCode, stdout, stderr });
  if (lasting !== undefined) return lasting;
  // Claude prints API errors on stdout and leaves stderr empty (measured with Claude Code 2.1.197).
  const tail = getComplaint(stderr) || getComplaint(stdout);
  return { kind: "exit", detail: tail === "" ? `${exitCode}` : `${exitCode}: ${tail}` };
}
