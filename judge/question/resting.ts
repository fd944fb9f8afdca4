import { cutReason } from "../../inbox-schema/describe.ts";
import type { Mode } from "../../inbox-schema/job.ts";
import type { Attempt } from "../../inbox-schema/verdict.ts";
import type { Env, StatePaths } from "../../lib/io/paths.ts";
import { describeFailure, type Failure } from "../runners/failure.ts";
import { describeCall, hash, identifyProgram, lookUp } from "../runners/identify.ts";
import { findLogin } from "../runners/login.ts";
import { findResetTime } from "../runners/reset-time.ts";
import type { Runner } from "../runners/runner.ts";
import { getRestEnd, isRestCause, mayEndByLogin } from "./rest.ts";
import { readAllRests, readRests, writeRests, type Rest } from "../state/rests-file.ts";

/** Who is not to be asked for now, and why. */
export interface RestingRunners {
  /** Undefined: it may be asked. */
  find(runner: Runner, mode: Mode): Rest | undefined;
  /** It failed: where that is going to last, it rests, and this gives its rest. */
  failed(runner: Runner, mode: Mode, failure: Failure): Rest | undefined;
  /** It answered: whatever was said of it is over. */
  answered(runner: Runner, mode: Mode): void;
}

export interface RestingOptions {
  readonly paths: StatePaths;
  /** The watcher's own environment: it finds the programs. */
  readonly env: Env;
  readonly now: () => Date;
  /** The zone of times that name none, such as `Europe/Berlin`. */
  readonly zone: string;
  /** Hears of what cannot be read or written; then nobody rests. */
  readonly report: (error: unknown) => void;
}

/** Keeps them in the state directory, for every watcher of it. Never throws. */
export function openResting({ paths, env, now, zone, report }: RestingOptions): RestingRunners {
  const getKey = (runner: Runner, mode: Mode) => hash(describeCall(runner, mode));
  const attempt = <T>(call: () => T): T | undefined => {
    try {
      return call();
    } catch (error) {
      report(error);
      return undefined;
    }
  };

  function find(runner: Runner, mode: Mode): Rest | undefined {
    const rest = readRests(paths, now())[getKey(runner, mode)];
    return rest?.program === identifyProgram(runner, mode, env) ? rest : undefined;
  }

  function failed(runner: Runner, mode: Mode, failure: Failure): Rest | undefined {
    const { kind: cause, detail } = failure;
    if (!isRestCause(cause)) return undefined;
    const since = now();
    const login = mayEndByLogin(cause) ? findLogin(runner.invoke("", mode).file, env) : undefined;
    const until = getRestEnd(cause, since.getTime(), findResetTime(detail, since.getTime(), zone));
    const rest: Rest = {
      runner: runner.name,
      cause,
      reason: describeFailure(failure),
      since: since.toISOString(),
      until: new Date(until).toISOString(),
      program: identifyProgram(runner, mode, env),
      mode,
      lookup: lookUp(runner, mode, env),
      ...(login && { login }),
    };
    writeRests(paths, { ...readRests(paths, since), [getKey(runner, mode)]: rest });
    return rest;
  }

  function answered(runner: Runner, mode: Mode): void {
    const key = getKey(runner, mode);
    if (readAllRests(paths)[key] === undefined) return;
    const { [key]: _, ...others } = readRests(paths, now());
    writeRests(paths, others);
  }

  return {
    find: (runner, mode) => attempt(() => find(runner, mode)),
    failed: (runner, mode, failure) => attempt(() => failed(runner, mode, failure)),
    answered: (runner, mode) => attempt(() => answered(runner, mode)),
  };
}

/** A runner that was not asked, in the list of those that were. */
export function toRestingAttempt({ runner, until, reason }: Rest): Attempt {
  return { runner, ok: false, reason: cutReason(`resting until ${until}: ${reason}`), duration_ms: 0 };
}
