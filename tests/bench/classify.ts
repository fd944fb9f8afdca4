import { spawnSync } from "node:child_process";
import { findChecks } from "../../lib/commands/find-checks.ts";
import { getLineVerdict } from "../../lib/commands/get-verdicts.ts";
import { toolCases } from "../../lib/commands/tools/index.ts";
import type { CommandOutput } from "../../lib/transcript/entry.ts";
import type { Figure } from "../helpers/figures.ts";

const ROWS = 10_000;
const PROCESSES = 10;
const ROUNDS = 5;

interface Row {
  readonly command: string;
  readonly cwd: string;
  readonly output: CommandOutput;
}

/** How long 10,000 classifications take, in the time that ten empty Node processes take. */
export function measureClassify(): Figure[] {
  const rows = makeRows();
  classify(rows.slice(0, ROWS / 10));
  let best = Infinity;
  let empty = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    best = Math.min(
      best,
      timeMs(() => classify(rows)),
    );
    empty = Math.min(empty, timeMs(startEmpty));
  }
  return [{ name: "10,000 classifications, in ten empty processes", value: best / empty, unit: "x", budget: 1 }];
}

function classify(rows: readonly Row[]): void {
  for (const { command, cwd, output } of rows) getLineVerdict(findChecks(command, cwd), output);
}

function startEmpty(): void {
  for (let at = 0; at < PROCESSES; at++) spawnSync(process.execPath, ["-e", "0"]);
}

function timeMs(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** Lines that read and edit, as most do, checks as agents write them, and outputs of some length. No two rows are alike. */
function makeRows(): readonly Row[] {
  const others = [
    "ls -la src",
    "cat package.json | head -40",
    "sed -n '1,120p' src/parser.ts",
    "git status --short && git diff --stat",
    "grep -rn 'parseToken' src | head -20",
    "mkdir -p out && cp -r assets out/",
    "git add -A && git commit -m 'Parse every token'",
    "curl -s https://example.com/data.json | jq .items",
  ];
  const cases = toolCases.flatMap(({ outputs }) => outputs);
  const noise = Array.from({ length: 30 }, (_, at) => `src/module-${at}.ts: transformed in ${at} ms`).join("\n");
  return Array.from({ length: ROWS }, (_, at): Row => {
    const cwd = `/home/user/project-${at}`;
    const other = others[at % others.length] ?? "ls";
    const tried = cases[at % cases.length];
    if (at % 5 < 3 || tried === undefined) return { command: `${other} # ${at}`, cwd, output: { text: noise } };
    const command = at % 2 === 0 ? `cd ${cwd} && ${tried.command} 2>&1` : `${other} && ${tried.command}`;
    return { command, cwd, output: { text: `${noise}\n${tried.text}\n`, isError: false } };
  });
}
