import { findFlag } from "../flag-table.ts";
import { readCandidate, selectCandidates, type Candidate } from "../recognise.ts";
import type { Call } from "../shell/call.ts";
import { parsePackageCall } from "../shell/package-managers.ts";
import { findWork, type Work } from "./find-work.ts";

/** Why a call is no check. */
export interface Refusal {
  /** What it does instead; `other` where no table tells. */
  readonly work: Work | "fixing" | "help" | "listing" | "watching" | "running a script" | "other";
  readonly reason: string;
}

/** Why a call that is no check is none. */
export function getRefusal(call: Call): Refusal {
  for (const candidate of selectCandidates(call)) {
    const found = readCandidate(candidate, call);
    if (found === "inert") return explainInert(candidate);
    if (found === "plain") return explainPlain(candidate);
  }
  const packaged = parsePackageCall(call);
  if (packaged?.kind === "script") {
    return { work: "running a script", reason: `no word of the script's name, ${packaged.name}, speaks of a check` };
  }
  const work = findWork(call);
  if (work !== undefined) return work;
  return {
    work: "other",
    reason: `${call.program} is no tool of the table, and neither its name nor its first words speak of a check`,
  };
}

function explainPlain({ tool }: Candidate): Refusal {
  const flags = tool.onlyWith ?? [];
  return { work: "fixing", reason: `${tool.id}: checks only with ${flags.join(" or ")}, else it does its work` };
}

const works: readonly (readonly [Refusal["work"], RegExp])[] = [
  ["help", /^--?(?:help|h|version|V)$/],
  ["watching", /^--?(?:watch|watchAll|ui|w|open|web)$/],
  ["fixing", /fix|write|apply|update|accept|init|generate/],
];

function explainInert({ tool, match }: Candidate): Refusal {
  const [first = ""] = match.args;
  if (tool.not?.includes(first) === true) return { work: "other", reason: `${tool.id}: \`${first}\` checks nothing` };
  const flag = match.args.find((arg) => isInert(arg, tool)) ?? "";
  const work = works.find(([, pattern]) => pattern.test(flag))?.[0] ?? "listing";
  return { work, reason: `${tool.id}: with ${flag === "" ? "these flags" : `\`${flag}\``} it checks nothing` };
}

function isInert(arg: string, { flags, sharedFlags }: Candidate["tool"]): boolean {
  return arg.startsWith("-") && findFlag(arg.split("=", 1)[0] ?? arg, flags, sharedFlags)?.role === "inert";
}
