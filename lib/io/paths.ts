import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** The environment a process edge was started with; tests pass their own. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Every place under the state directory, absolute. Nothing is created here. */
export interface StatePaths {
  readonly root: string;
  readonly tmp: string;
  readonly inbox: string;
  readonly claimed: string;
  readonly reclaim: string;
  readonly attempts: string;
  readonly outbox: string;
  readonly undelivered: string;
  readonly delivering: string;
  readonly dead: string;
  /** What a person said of verdicts, `<id>.json`: kept for good. */
  readonly labels: string;
  readonly once: string;
  readonly cache: string;
  readonly instances: string;
  readonly locks: string;
  /** Of the watcher that wrote last. */
  readonly health: string;
  /** Of each watcher, `<instance>.json`. */
  readonly watcherHealth: string;
  /** When jobs began to ask a model, one a line: what the caps count. Full ones lie beside it as `starts.<name>`. */
  readonly starts: string;
  /** Runners that are not asked for a while. */
  readonly resting: string;
  /** There while no question is asked, since too many came at once. */
  readonly tripped: string;
  /** Answers of models, by what was asked. */
  readonly answers: string;
  /** Of turns whose end was not told yet. */
  readonly replies: string;
  readonly judgeLog: string;
  /** When hooks ran and how often, one small file for each harness and event. */
  readonly runs: string;
  /** What hooks in `observe` mode would have said or asked. */
  readonly observedLog: string;
  /** Key of the fences around judged text. */
  readonly fenceKey: string;
}

/** Names the state directory. */
export const STATE_VARIABLE = "CATSTACK_LLM_JUDGE_STATE_DIR";
/** Names the folder of the marks of verdict-flip-watch. */
const MARKER_VARIABLE = "VERDICT_FLIP_WATCH_STATE_DIR";

/** Beside a file in dead/ lies one of its name and this, which tells why it is there. */
export const REASON_SUFFIX = ".reason.json";

/**
 * `CATSTACK_LLM_JUDGE_STATE_DIR` where it is absolute (a relative one would be another folder in every project), else `$XDG_STATE_HOME/catstack` where that is
 * absolute, else `~/.local/state/catstack`.
 */
export function getStatePaths(env: Env): StatePaths {
  const named = env[STATE_VARIABLE] ?? "";
  const root = resolve(
    isAbsolute(named)
      ? named
      : join(findAbsolute(env["XDG_STATE_HOME"]) ?? join(getHome(env), ".local", "state"), "catstack"),
  );
  // A hook asks several times a turn, and `join` looks at every character.
  const at = (name: string): string => `${root}/${name}`;
  return {
    root,
    tmp: at("tmp"),
    inbox: at("inbox"),
    claimed: at("claimed"),
    reclaim: at("reclaim"),
    attempts: at("attempts"),
    outbox: at("outbox"),
    undelivered: at("undelivered"),
    delivering: at("delivering"),
    dead: at("dead"),
    labels: at("labels"),
    once: at("once"),
    cache: at("cache"),
    instances: at("run/instances"),
    locks: at("run/locks"),
    health: at("run/health.json"),
    watcherHealth: at("run/health"),
    starts: at("run/starts"),
    resting: at("run/resting.json"),
    tripped: at("run/tripped.json"),
    answers: at("cache/answers"),
    replies: at("cache/replies"),
    judgeLog: at("judge.log"),
    runs: at("run/hooks"),
    observedLog: at("run/observed.jsonl"),
    fenceKey: at("run/fence.key"),
  };
}

/**
 * The hooks whose once markers lie in a folder of their own, which other tools read, by id. verdict-flip-watch:
 * `VERDICT_FLIP_WATCH_STATE_DIR`, else under `~/.cache`.
 */
export function getMarkerDirs(env: Env): ReadonlyMap<string, string> {
  const flips = nonEmpty(env[MARKER_VARIABLE]) ?? join(getHome(env), ".cache", "catstack-verdict-flip-watch");
  return new Map([["verdict-flip-watch", resolve(flips)]]);
}

/** `$XDG_CONFIG_HOME/catstack/config.json` where that is absolute, else `~/.config/catstack/config.json`. */
export function getSettingsPath(env: Env): string {
  return join(findAbsolute(env["XDG_CONFIG_HOME"]) ?? join(getHome(env), ".config"), "catstack", "config.json");
}

/** `HOME` of the given environment, else the account's home directory. */
export function getHome(env: Env): string {
  return nonEmpty(env["HOME"]) ?? homedir();
}

/** A relative path is invalid there and is to be ignored, by the XDG Base Directory Specification. */
function findAbsolute(value: string | undefined): string | undefined {
  return value !== undefined && isAbsolute(value) ? value : undefined;
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : value;
}
