import type { CliIo } from "./io.ts";

/** Gives the exit code. Throws a UsageError for a wrong call, a Failure for what cannot be done. */
export type RunVerb = (args: readonly string[], io: CliIo) => Promise<number>;

export interface Verb {
  readonly name: string;
  /** What follows the name, such as `FILE|- [--json]`. */
  readonly usage: string;
  readonly summary: string;
  readonly options: readonly (readonly [string, string])[];
  /** A verb's code is only run when it is called. */
  load(): Promise<RunVerb>;
}

const json = ["--json", "print JSON for a program"] as const;
const only = ["--only LIST", "only these: some of claude, codex and cursor, with commas"] as const;
const dryRun = ["--dry-run", "only print what would change"] as const;

/** Every verb, in the order of the help. */
export const verbs: readonly Verb[] = [
  {
    name: "watch",
    usage: "[--once | --idle-exit SECONDS]",
    summary: "judge jobs as they come, until a signal",
    options: [
      ["--once", "judge what is waiting and end"],
      ["--idle-exit SECONDS", "end when there was nothing to do for so long and the inbox is empty"],
    ],
    load: async () => (await import("./watch.ts")).watch,
  },
  {
    name: "drop",
    usage: "FILE|- [--json]",
    summary: "check a job file and put it into the inbox",
    options: [
      [
        "FILE|-",
        "a JSON job, or - for stdin: hook, transcript, prompt, hit_if_all_true (else any answer is a hit), on_hit",
      ],
      json,
    ],
    load: async () => (await import("./drop.ts")).drop,
  },
  {
    name: "status",
    usage: "[--json]",
    summary: "who watches, what waits; exit 1 when jobs wait and nobody takes them",
    options: [json],
    load: async () => (await import("./status.ts")).status,
  },
  {
    name: "verdicts",
    usage: "[ID] [--limit N] [--transcript PATH] [--json] | label ID right|wrong [--json]",
    summary: "list verdicts, newest first, show one in full, or say whether it is right",
    options: [
      ["ID", "show this one in full; the beginning of its id will do where no other has it"],
      ["label ID right|wrong", "keep what you say of its outcome, for `catstack stats`; say it again to change it"],
      ["--limit N", "list at most N (20)"],
      ["--transcript PATH", "only those of this session"],
      json,
    ],
    load: async () => (await import("./verdicts.ts")).verdicts,
  },
  {
    name: "stats",
    usage: "[--since AGE] [--json]",
    summary: "count what each hook did or would have done, and how often it was right by your labels",
    options: [["--since AGE", "only what is no older, such as 14d or 12h; else all that is kept"], json],
    load: async () => (await import("./stats.ts")).stats,
  },
  {
    name: "logs",
    usage: "[-f] [-n N] [--json]",
    summary: "print the last lines of the judge's log",
    options: [
      ["-f, --follow", "go on with what comes, until a signal"],
      ["-n, --lines N", "begin with the last N lines (20)"],
      ["--json", "print the lines as they are, JSON for a program"],
    ],
    load: async () => (await import("./logs.ts")).logs,
  },
  {
    name: "dead",
    usage: "list|show|requeue|drop [FILE...] [OPTION...]",
    summary: "look at what could not be judged, put it back or remove it",
    options: [
      ["list [--json]", "every dead file and why it died, newest first"],
      ["show FILE [--json]", "the reason and the file"],
      ["requeue FILE...|--all", "put it back into the inbox, under a fresh id where its own has a verdict"],
      ["drop FILE...", "remove the file and its reason"],
      ["drop --all --yes", "remove every one"],
    ],
    load: async () => (await import("./dead.ts")).dead,
  },
  {
    name: "replay",
    usage: "TRANSCRIPT [--json]",
    summary: "list every run of a check in a transcript, and the flips; exit 1 when one is open or it is no session",
    options: [["TRANSCRIPT", "a session file (.jsonl) of Claude Code or Codex"], json],
    load: async () => (await import("./replay.ts")).replay,
  },
  {
    name: "backtest",
    usage: "[DIR|FILE...] [OPTION...]",
    summary: "tell what the hooks would have done in past sessions, and how well",
    options: [
      ["DIR|FILE", "where sessions lie; else those of Claude Code, Codex and Cursor of the last 14 days"],
      ["--since WHEN", "only turns since then: 14d, 36h or 2026-01-31"],
      ["--hook NAME", "only this hook"],
      ["--judge", "ask the model what the hooks would ask; tells the cost and asks you first"],
      ["--yes", "do not ask first"],
      [
        "--export FILE",
        "add turns to label to FILE, those where a hook acts and silent ones: put true or false behind `hit`",
      ],
      ["--labels FILE", "compare with such labels: precision, recall, and whether the hook beats doing nothing"],
      json,
    ],
    load: async () => (await import("./backtest.ts")).backtest,
  },
  {
    name: "classify",
    usage: "<QUESTIONS.jsonl",
    summary: "tell which commands are checks and how they ended, from JSON lines on stdin",
    options: [
      ["id", "number or string, required; comes back with the answer"],
      ["command", "the shell command, required"],
      ["output", "what it printed, stdout and stderr together"],
      ["exitCode", "a number, or null where it is unknown"],
      ["isError", "true, false, or null where it is unknown"],
      ["agent", "claude or codex: read the output as this one writes it"],
      ["cwd", "the folder that the command started in"],
    ],
    load: async () => (await import("./classify.ts")).classify,
  },
  {
    name: "explain",
    usage: "COMMAND|- [OPTION...]",
    summary: "tell why a command is a check or none, and how its output is read",
    options: [
      ["COMMAND|-", "the shell command, in quotes, or - for stdin"],
      ["--output FILE", "read what the command printed, and tell the verdict"],
      ["--exit-code N", "the exit status of the whole command"],
      json,
    ],
    load: async () => (await import("./explain.ts")).explain,
  },
  {
    name: "scenarios",
    usage: "[FILE...] [--json]",
    summary: "play whole stories through hooks, judge and delivery; exit 1 when one goes otherwise than it tells",
    options: [
      [
        "FILE",
        "a file of stories, whose keys tests/scenarios/README.md tells; without one, all of ./tests/scenarios/*.json",
      ],
      json,
    ],
    load: async () => (await import("./scenarios.ts")).scenarios,
  },
  {
    name: "demo",
    usage: "[--real] [--keep]",
    summary: "show the whole way from a session to a verdict, in a scratch folder",
    options: [
      ["--real", "ask your own codex or claude instead of a stand-in"],
      ["--keep", "keep the scratch folder and print where it is"],
    ],
    load: async () => (await import("./demo.ts")).demo,
  },
  {
    name: "doctor",
    usage: "[--json] | --probe [--yes] [--json]",
    summary: "look whether all is set up and works, and say how to mend what is not; exit 1 when something fails",
    options: [
      [
        "--probe",
        "ask your own model CLIs to write and run something, and see that they cannot; tells the cost and asks you first",
      ],
      ["--yes", "do not ask first"],
      json,
    ],
    load: async () => (await import("./doctor.ts")).doctor,
  },
  {
    name: "install",
    usage: "[OPTION...]",
    summary: "add the hooks to the settings of Claude Code, Codex and Cursor, whichever is there",
    options: [
      only,
      ["--yes", "do not ask; keep the watcher running under the supervisor that is found"],
      ["--no-service", "leave the watcher to you"],
      ["--dry-run", "only print what would change, and how"],
    ],
    load: async () => (await import("./install.ts")).install,
  },
  {
    name: "uninstall",
    usage: "[OPTION...]",
    summary: "take out what install put in, the service too",
    options: [
      only,
      ["--purge", "remove all jobs and verdicts as well"],
      ["--dry-run", "only print what would change, and how"],
    ],
    load: async () => (await import("./uninstall.ts")).uninstall,
  },
  {
    name: "service",
    usage: "print|install|uninstall [FORM] [--dry-run]",
    summary: "keep watch running under a supervisor: systemd, launchd, supervisord, pm2 or Docker",
    options: [
      ["print", "print what the supervisor reads, and write nothing"],
      ["install", "write it, and start it where that is safe; else tell how"],
      ["uninstall", "take out what install wrote"],
      ["FORM", "systemd, systemd-path (starts on demand), launchd, supervisord, pm2, docker; else what is found here"],
      dryRun,
    ],
    load: async () => (await import("./service.ts")).service,
  },
];
