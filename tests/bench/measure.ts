import { spawnSync } from "node:child_process";

/** What one process cost, in seconds; `cpu` is user and system time of the whole process, start-up included. */
export interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

/** One thing to measure again and again; `prepare` is not part of the cost. */
export interface Subject {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A file that becomes the process's stdin. */
  readonly stdin?: string;
  prepare?(): void;
}

/**
 * Runs every subject once a round, in turn, so that a busy moment of the machine hits all of them; gives the median cost of each.
 * bash measures: its `time` counts the whole process to the millisecond, and nothing has to be loaded into it.
 */
export function measure(subjects: readonly Subject[], rounds: number): Map<string, Cost> {
  const costs = new Map(subjects.map(({ name }): [string, Cost[]] => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const subject of subjects) {
      subject.prepare?.();
      costs.get(subject.name)?.push(runOnce(subject));
    }
  }
  return new Map([...costs].map(([name, list]) => [name, getMedianCost(list)]));
}

function runOnce({ name, args, env, stdin = "/dev/null" }: Subject): Cost {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@" <"$0" >/dev/null 2>&1';
  const { status, stderr } = spawnSync("bash", ["-c", script, stdin, ...args], { env: { ...env }, encoding: "utf8" });
  const [wall, user, system] = stderr.trim().split(" ").map(Number);
  if (status !== 0 || wall === undefined || user === undefined || system === undefined) {
    throw new Error(`expected ${name} to end in exit 0 with three times, got ${String(status)} and: ${stderr}`);
  }
  return { wall, cpu: user + system };
}

function getMedianCost(costs: readonly Cost[]): Cost {
  return { wall: getMedian(costs.map(({ wall }) => wall)), cpu: getMedian(costs.map(({ cpu }) => cpu)) };
}

function getMedian(numbers: readonly number[]): number {
  const value = [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
  if (value === undefined) throw new Error("expected numbers, got an empty list");
  return value;
}
