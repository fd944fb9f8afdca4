import type { Call } from "../shell/call.ts";

/** Kinds of work that check nothing. */
export type Work =
  | "reading"
  | "editing"
  | "installing"
  | "recording"
  | "fetching"
  | "filtering"
  | "printing"
  | "waiting";

/** What a program does instead of checking. */
export interface OtherWork {
  readonly work: Work;
  readonly reason: string;
}

const programs: readonly (readonly [Work, RegExp])[] = [
  ["filtering", /^(?:head|tail|tee|sort|uniq|wc|tr|cut|column|less|more|awk|[ef]?grep|rg|ag|ack|jq|yq|xargs)$/],
  ["reading", /^(?:cat|bat|nl|ls|tree|find|fd|stat|file|du|df|diff|cmp|od|xxd|which|type|whereis|man|ps|env|pwd)$/],
  ["editing", /^(?:cp|mv|rm|mkdir|rmdir|touch|chmod|chown|ln|patch|dd|truncate|vi|vim|nano|emacs|code|apply_patch)$/],
  ["installing", /^(?:apt|apt-get|brew|dnf|yum|pacman|apk|pip|pip3|gem|corepack|nvm|asdf|rustup|sdk)$/],
  ["fetching", /^(?:curl|wget|scp|rsync|gh)$/],
  ["recording", /^(?:git|hg|svn|jj)$/],
  ["printing", /^(?:echo|printf|date|true|false|:|set|export)$/],
  ["waiting", /^(?:sleep|wait|kill|pkill|killall)$/],
];

const installing = /^(?:install|i|ci|add|remove|uninstall|update|upgrade|sync|restore|get|fetch|download|tidy)$/;

const reasons: Readonly<Record<Work, string>> = {
  reading: "it shows files or the system, and judges nothing",
  editing: "it changes files",
  installing: "it fetches or removes what others need",
  recording: "it reads or changes the history (only `git diff --check` judges)",
  fetching: "it moves data",
  filtering: "it shows a part of what it is given; what it is given by a check is read through it",
  printing: "it prints, or changes the shell",
  waiting: "it waits for or ends others",
};

/** What a program that no table of checks names does; undefined where that is not known. */
export function findWork(call: Call): OtherWork | undefined {
  const work = findName(call);
  return work === undefined ? undefined : { work, reason: `${call.program}: ${reasons[work]}` };
}

function findName({ program, args }: Call): Work | undefined {
  if (program === "sed" || program === "perl") return args.some((arg) => /^-[a-z]*i/.test(arg)) ? "editing" : "reading";
  const named = programs.find(([, pattern]) => pattern.test(program))?.[0];
  if (named !== undefined) return named;
  return installing.test(args.find((arg) => !arg.startsWith("-")) ?? "") ? "installing" : undefined;
}
