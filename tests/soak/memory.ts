import type { ChildProcess } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { errorCode } from "../../lib/io/error-code.ts";
import type { Figure } from "../helpers/figures.ts";
import { readMegabytes } from "../helpers/proc.ts";
import { waitFor } from "../helpers/wait-for.ts";

/** What a watcher holds at one moment, in MB. */
export interface Memory {
  /** Of the process (VmRSS), as it was met. */
  readonly asMet: number;
  /** Of the process, once all garbage is collected. */
  readonly collected: number;
  /** Of this, what JavaScript's heap holds. */
  readonly heap: number;
}

/**
 * What the last quarter of the jobs may add to what was held, garbage aside. The heap tells: a kilobyte kept for each of 1,300 jobs would add
 * 9 % to its 14 MB. The process as a whole goes up and down by some percent with how full the pages are.
 */
const MAX_GROWTH_PERCENT = { heap: 5, collected: 10 };

/** Arguments for Node: at SIGUSR2 the process collects its garbage and writes into `file` how many bytes are left on its heap. */
export function collectOnSignal(file: string): string[] {
  const code = `
    import { renameSync, writeFileSync } from "node:fs";
    const [file, temporary] = ${JSON.stringify([file, `${file}.part`])};
    process.on("SIGUSR2", () => {
      gc();
      gc();
      writeFileSync(temporary, String(process.memoryUsage().heapUsed));
      renameSync(temporary, file);
    });`;
  return ["--expose-gc", "--import", `data:text/javascript,${encodeURIComponent(code)}`];
}

/** Of a process that was started with `collectOnSignal(file)`. */
export async function readMemory({ pid = 0 }: ChildProcess, file: string): Promise<Memory> {
  const asMet = readMegabytes(pid);
  process.kill(pid, "SIGUSR2");
  const bytes = await waitFor("the heap's size", () => findNumber(file));
  rmSync(file);
  return { asMet, collected: readMegabytes(pid), heap: bytes / 2 ** 20 };
}

/** The figures of four moments, after each quarter of the jobs. */
export function checkMemory(moments: readonly Memory[], name: string): Figure[] {
  const figures = moments.flatMap(({ asMet, collected, heap }, index): Figure[] => {
    const when = `${name}, after ${25 * (index + 1)} %`;
    return [
      { name: `${when}: memory`, value: asMet, unit: "MB" },
      { name: `${when}: memory without garbage`, value: collected, unit: "MB" },
      { name: `${when}: heap without garbage`, value: heap, unit: "MB" },
    ];
  });
  const [, , third, last] = moments;
  const grow = (key: keyof Memory) => (100 * ((last?.[key] ?? NaN) - (third?.[key] ?? NaN))) / (third?.[key] ?? NaN);
  return [
    ...figures,
    {
      name: `${name}, last quarter: memory grew by`,
      value: grow("collected"),
      unit: "%",
      budget: MAX_GROWTH_PERCENT.collected,
    },
    { name: `${name}, last quarter: heap grew by`, value: grow("heap"), unit: "%", budget: MAX_GROWTH_PERCENT.heap },
  ];
}

function findNumber(file: string): number | undefined {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
