import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { MALLOC_VARIABLE, NODE_SWITCHES } from "../../cli/service/lean-node.ts";

/** The built program, started as the command lines of services start it. */
export function getWatchCommand(program: string, flags: readonly string[] = []): string[] {
  return [process.execPath, ...NODE_SWITCHES, ...flags, program, "watch"];
}

/** How a watcher is started. */
export interface Command {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What it says goes to the end of this file. */
  readonly sayings: string;
}

/** A watcher and how it ends: an exit code or a signal. */
export function startWatcher({ argv: [file = "", ...args], env, sayings }: Command): {
  readonly child: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals | null>;
} {
  const out = openSync(sayings, "a");
  const child = spawn(file, args, {
    env: { ...Object.fromEntries([MALLOC_VARIABLE]), ...env },
    stdio: ["ignore", out, out],
  });
  closeSync(out);
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ?? code));
  });
  return { child, ended };
}

/** Watchers that are killed and started again, until they are all killed. */
export interface Pool {
  /** SIGKILL to one of them; another takes its place a moment later. */
  readonly killOne: () => void;
  /** SIGKILL to all; resolves when they are gone. */
  killAll(): Promise<void>;
  readonly kills: () => number;
  /** What ended without having been killed, in words. */
  readonly deserters: readonly string[];
}

export function startPool(size: number, command: Command, random: () => number): Pool {
  const alive = new Set<ChildProcess>();
  const deserters: string[] = [];
  let kills = 0;
  const over = new AbortController();

  async function keepOne(): Promise<void> {
    while (!over.signal.aborted) {
      const { child, ended } = startWatcher(command);
      alive.add(child);
      const end = await ended;
      alive.delete(child);
      if (end !== "SIGKILL") deserters.push(`watcher ${child.pid} ended by itself: ${end} (${command.sayings})`);
      await delay(random() * 500);
    }
  }

  const kept = Promise.all(Array.from({ length: size }, keepOne));
  return {
    killOne() {
      const victim = [...alive][Math.floor(random() * alive.size)];
      if (victim === undefined) return;
      alive.delete(victim);
      victim.kill("SIGKILL");
      kills += 1;
    },
    async killAll() {
      over.abort();
      for (const child of alive) child.kill("SIGKILL");
      await kept;
    },
    kills: () => kills,
    deserters,
  };
}
