import type { CommandNode, Redirection } from "unbash";
import type { Marks, OutputView } from "../check.ts";
import { programName } from "./call.ts";

/** From most to least that a reader still sees. */
const views: readonly OutputView[] = ["whole", "end", "start", "rest", "searched", "absent"];

const viewOfFilter: Readonly<Record<string, OutputView>> = {
  tail: "end",
  head: "start",
  tee: "whole",
  cat: "whole",
  less: "whole",
  more: "whole",
  ts: "whole",
  uniq: "whole",
  sort: "whole",
  nl: "whole",
  "tap-spec": "whole",
  gotestfmt: "whole",
};

const isSearch = /^(?:[ef]?grep|rg|ag|ack)$/;
const isInverted = /^(?:-[A-Za-z]*v[A-Za-z]*|--invert-match)$/;

/** The scarcer of two views. */
export function narrower(one: OutputView, other: OutputView): OutputView {
  return views.indexOf(one) > views.indexOf(other) ? one : other;
}

/** What one part behind a pipe lets through: anything unknown may search or rewrite. */
export function viewThrough(filter: CommandNode): OutputView {
  if (filter.type !== "Command") return "searched";
  const program = programName(filter.name?.value ?? "");
  if (isSearch.test(program)) return filter.args.some((arg) => isInverted.test(arg.text)) ? "rest" : "searched";
  const view = viewOfFilter[program] ?? "searched";
  return (view === "start" || view === "end") && showsOneLine(filter.args.map((arg) => arg.text)) ? "searched" : view;
}

/** One line may be the blank one that some tools put around what they print. */
function showsOneLine(args: readonly string[]): boolean {
  return /^(?:-1|-n ?1|--lines[= ]1)$/.test(args.join(" "));
}

const failureWords = /fail|error|panic|not ok|✗|✖|✕|×/i;
const otherWords = /pass|\bok\b(?<!not ok)|test result|summary|tests?:|✓|✔|finished|success|done|total/i;

/** Whether a part behind a pipe looks for failures alone. */
export function seeksFailures(filter: CommandNode): boolean {
  if (filter.type !== "Command" || !isSearching(filter)) return false;
  const words = filter.args.map((arg) => arg.text);
  if (words.some((word) => isInverted.test(word))) return false;
  return words.some((word) => failureWords.test(word)) && !words.some((word) => otherWords.test(word));
}

/** Whether a part behind a pipe fails when it finds nothing. */
export function isSearching(filter: CommandNode): boolean {
  return filter.type === "Command" && isSearch.test(programName(filter.name?.value ?? ""));
}

/** What a part behind a pipe counts, if that is all it prints: `wc -l` the lines, `grep -c x` those that fit. */
export function findCount(filter: CommandNode): Marks["counts"] {
  if (filter.type !== "Command") return undefined;
  const program = programName(filter.name?.value ?? "");
  const flags = filter.args.map((arg) => arg.text);
  if (program === "wc") return flags.length === 1 && /^(?:-l|--lines)$/.test(flags[0] ?? "") ? "lines" : undefined;
  if (!isSearch.test(program) || flags.some((flag) => isInverted.test(flag))) return undefined;
  return flags.some((flag) => /^(?:-[A-Za-z]*c[A-Za-z]*|--count)$/.test(flag)) ? "matches" : undefined;
}

/**
 * Whether redirects take the output away: `> file` and `&> file` do, `2>&1` does not. `2> file` takes the errors only: what is left
 * may be silent for the want of them.
 */
export function viewAfterRedirects(redirects: readonly Redirection[]): OutputView {
  if (redirects.some((each) => takesStream(each, 1))) return "absent";
  return redirects.some((each) => takesStream(each, 2)) ? "searched" : "whole";
}

function takesStream(redirect: Redirection, stream: number): boolean {
  if (redirect.type !== "Redirect") return false;
  if (redirect.operator === "&>" || redirect.operator === "&>>") return true;
  const descriptor = redirect.descriptor?.type === "FileDescriptor" ? redirect.descriptor.value : 1;
  const toFile = redirect.operator === ">" || redirect.operator === ">>" || redirect.operator === ">|";
  return (
    toFile && descriptor === stream && !/^\/dev\/(?:stdout|stderr|tty|fd\/[12])$/.test(redirect.target?.value ?? "")
  );
}
