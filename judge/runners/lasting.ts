import { getTail, type Failure } from "./failure.ts";

/** How a CLI ended that gave up by itself. */
export interface GaveUp {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An argument parser complains before it does anything else: what a model is shown or says comes later. */
const HEAD_LINES = 5;
/** The last error of codex is its last line, or is followed by few. */
const TAIL_LINES = 5;

/** The line with which an argument parser refuses a switch or its value: an older CLI that lacks one of ours. */
const SWITCH =
  /^error: (?:unknown option|unexpected argument|unrecognized|invalid value|option .* is invalid)|unknown feature flag/i;

/**
 * Words of Claude Code 1.0 to 2.1, Codex 0.30 to 0.171 and their servers. A rate limit is no quota: it is over in a minute.
 * The last one is what codex says of a plan that does not include it.
 */
const QUOTA = [
  /\busage limit\b/i,
  /\byou['’]ve (?:hit|reached) your (?!rate )(?:[\w-]+ ){0,3}limit\b/i,
  /\b(?:5-hour|session|daily|weekly|monthly|opus|sonnet) limit reached\b/i,
  /\bquota exceeded\b|\bexceeded your current quota\b|\binsufficient_quota\b/i,
  /\bcredit balance is too low\b|\bout of (?:extra usage|credits)\b/i,
  /\bwith your chatgpt plan, upgrade\b/i,
];

const LOGIN = [
  /\bnot logged in\b|\bplease run \/login\b|\blogin expired\b|\binvalid api key\b/i,
  /\bapi error: 401\b|\b401 unauthorized\b/i,
  /\bauthentication required\b|\blog ?out and sign in again\b/i,
];

/**
 * Why a CLI that exited with an error will fail again for a while; undefined: the next call may work. Only the lines where a CLI says why
 * it gives up are looked at, since codex prints the question and the model's words on stderr too, and those may speak of limits. Pure.
 */
export function findLastingFailure({ exitCode, stdout, stderr }: GaveUp): Failure | undefined {
  if (exitCode === 0) return undefined;
  const complaint = getLines(stderr)
    .slice(0, HEAD_LINES)
    .find(isMatch([SWITCH]));
  if (complaint !== undefined) return { kind: "missing-switch", detail: getTail(complaint) };
  // Claude prints its error on stdout, alone (measured with Claude Code 2.1.197).
  const errors = [findLastError(stderr), getLines(stdout)[0]].filter((line) => line !== undefined);
  const quota = errors.find(isMatch(QUOTA));
  if (quota !== undefined) return { kind: "quota", detail: getTail(quota) };
  const login = errors.find(isMatch(LOGIN));
  return login === undefined ? undefined : { kind: "not-logged-in", detail: getTail(login) };
}

/** The last line at the end that says it is an error, else the last line. */
function findLastError(stderr: string): string | undefined {
  const lines = getLines(stderr).slice(-TAIL_LINES);
  return lines.findLast((line) => /^\W{0,3}error\b/i.test(line)) ?? lines.at(-1);
}

function getLines(text: string): string[] {
  return text.split(/[\r\n]+/).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
}

function isMatch(patterns: readonly RegExp[]): (line: string) => boolean {
  return (line) => patterns.some((pattern) => pattern.test(line));
}
