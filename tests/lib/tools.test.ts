import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { explain } from "../../cli/explain.ts";
import { describePattern } from "../../lib/commands/explain/describe-pattern.ts";
import { explainCommand } from "../../lib/commands/explain/explain-command.ts";
import { findChecks } from "../../lib/commands/find-checks.ts";
import { getVerdicts } from "../../lib/commands/get-verdicts.ts";
import { mayCheck } from "../../lib/commands/prefilter.ts";
import { chatter, neverStarted, plainLines } from "../../lib/commands/reading/common.ts";
import { toLines, withoutRunnerPrefix } from "../../lib/commands/reading/text.ts";
import { looksLikePath } from "../../lib/commands/shell/paths.ts";
import { toolCases, tools } from "../../lib/commands/tools/index.ts";
import { isCheckName } from "../../lib/commands/tools/names.ts";
import type { Lines } from "../../lib/commands/tools/tool.ts";
import { parseCodexOutput } from "../../lib/transcript/codex-output.ts";
import { measureGrowth, MOST_GROWTH } from "../helpers/growth.ts";
import { makeIdleIo } from "../helpers/idle-io.ts";
import { putTable } from "../helpers/tools-table.ts";

const repo = "/repo";

describe("the library as a whole", () => {
  test("knows at least 60 tools, each under one id", () => {
    const ids = tools.map(({ id }) => id);
    assert.ok(ids.length >= 60, String(ids.length));
    assert.equal(new Set(ids).size, ids.length);
  });

  test("has at least 400 cases as data", (context) => {
    const counts = {
      checks: sum(({ checks }) => Object.keys(checks).length),
      ignored: sum(({ ignored = [] }) => ignored.length),
      same: sum(({ same = [] }) => same.length),
      different: sum(({ different = [] }) => different.length),
      outputs: sum(({ outputs }) => outputs.length),
    };
    const all = Object.values(counts).reduce((total, count) => total + count, 0);
    context.diagnostic(`${all} cases: ${JSON.stringify(counts)}`);
    assert.ok(all >= 400, String(all));
  });

  test("has an output that passes or one that fails for every tool", () => {
    const tried = new Set<string>();
    for (const { command, verdict } of toolCases.flatMap(({ outputs }) => outputs)) {
      const tool = findChecks(command, repo).at(-1)?.tool;
      if (tool !== undefined && verdict !== "unknown") tried.add(tool);
    }
    const missing = tools.filter(({ id }) => !tried.has(id)).map(({ id }) => id);
    assert.deepEqual(missing, []);
  });

  test("links the documentation of every tool that has a name of its own", () => {
    const links = new Map(toolCases.flatMap(({ docs }) => Object.entries(docs)));
    const unlinked = tools.filter(({ id }) => !links.has(id)).map(({ id }) => id);
    assert.deepEqual(unlinked.toSorted(), ["check command", "check script"]);
    for (const [id, link] of links) {
      assert.ok(
        tools.some((tool) => tool.id === id),
        `a link for ${id}, which is no tool`,
      );
      assert.equal(new URL(link).protocol, "https:");
    }
  });

  test("tells in its README what the table holds; npm run tools-table writes it", () => {
    const readme = readFileSync(new URL("../../lib/commands/README.md", import.meta.url), "utf8");
    assert.equal(readme, putTable(readme));
  });
});

function sum(of: (cases: (typeof toolCases)[number]) => number): number {
  return toolCases.reduce((total, cases) => total + of(cases), 0);
}

describe("a pattern in words", () => {
  const examples: readonly (readonly [RegExp, string])[] = [
    [/^\s*[1-9]\d* passing\b/, "N passing"],
    [/^\d+ examples?, 0 failures$/, "n examples?, 0 failures"],
    [/^(?:✖ )?[Ff]ound \d+ (?:a|b)/, "(✖ )?found n (a|b)"],
    [/^error\[[\w-]+\]: /, "error[…]:"],
    [/^FAIL(?!ED (?:x|[)]))\s+\S+\.ts$/, "FAIL ….ts"],
    [/\[(\d+)\/\1\] .* \(x\)/, "[(n)/n] … (x)"],
  ];
  for (const [pattern, words] of examples) {
    test(`${pattern.source} is ${words}`, () => assert.equal(describePattern(pattern), words));
  }
});

interface Attack {
  readonly head: string;
  readonly pump: string;
}

/** No pattern knows this character: what comes before it fits nearly, and does not. */
const BREAK = "\u0001";
const LENGTH = 8000;

function makeText({ head, pump }: Attack, length: number): string {
  return head + pump.repeat(Math.ceil(length / pump.length)) + BREAK;
}

/** Beginnings of a fitting line, with its last characters again and again. */
function findAttacks(pattern: RegExp): readonly Attack[] {
  const attacks: Attack[] = ["1", "a", " ", "1 a, "].map((pump) => ({ head: "", pump }));
  // The generator knows neither lookarounds nor word boundaries, which only narrow what is drawn, nor references.
  const wider = pattern.source
    .replaceAll(/\\b|\(\?<?[=!](?:[^()]|\([^()]*\))*\)/g, "")
    .replaceAll(/\\[1-9]/g, String.raw`\d*`);
  const [line = ""] = fc.sample(fc.stringMatching(new RegExp(wider)), { numRuns: 1 });
  for (let at = 1; at <= Math.min(line.length, 50); at++) {
    attacks.push({ head: line.slice(0, at - 1), pump: line.charAt(at - 1) }, { head: "", pump: line.slice(0, at) });
  }
  return attacks;
}

let folders = 0;

/** What was found in a line is remembered: another folder makes it another line. */
function findChecksAnew(command: string): unknown {
  return findChecks(command, `/${++folders}`);
}

describe("hostile text", () => {
  const lists: readonly Lines[] = [
    ...tools.map(({ lines }) => lines),
    plainLines,
    { fail: neverStarted, pass: chatter },
  ];
  const patterns = new Map(
    lists
      .flatMap(({ fail = [], loose = [], unfinished = [], pass = [], problem = [], nothing = [] }) =>
        [fail, loose, unfinished, pass, problem, nothing].flat(),
      )
      .map((pattern) => [pattern.source, pattern]),
  );

  test("that nearly fits a pattern costs no pattern more than its length", () => {
    for (const pattern of patterns.values()) {
      for (const attack of findAttacks(pattern)) {
        const growth = measureGrowth((length) => void pattern.test(makeText(attack, length)), LENGTH);
        assert.ok(growth < MOST_GROWTH, `${pattern} grows ${growth} times with ${JSON.stringify(attack)}`);
      }
    }
  });

  test("is found out by the measure", () => {
    // A busy moment that hits the shorter text makes the longer one look cheap: of some measurements one is enough.
    const growths = [1, 2, 3, 4, 5].map(() =>
      measureGrowth((length) => void /^a+.*b$/.test("a".repeat(length)), LENGTH),
    );
    assert.ok(Math.max(...growths) >= MOST_GROWTH, String(growths));
  });

  const readers: Readonly<Record<string, (text: string) => unknown>> = {
    mayCheck,
    looksLikePath,
    isCheckName,
    toLines,
    withoutRunnerPrefix,
    parseCodexOutput,
    "findChecks of a name": (text) => findChecksAnew(`npm run test:${text}`),
  };
  const pumps = [
    "a",
    " ",
    "/",
    "a/",
    "a:",
    "$",
    "a=",
    "$a",
    '"',
    "\\",
    "\t",
    "\r",
    "\u001B[",
    "\u001B]",
    "1",
    "-",
    "{",
    "[a] ",
    "a b",
  ];
  for (const [name, read] of Object.entries(readers)) {
    test(`costs ${name} no more than its length`, () => {
      for (const pump of pumps) {
        const growth = measureGrowth((length) => void read(makeText({ head: "", pump }, length)), 16 * LENGTH);
        assert.ok(growth < MOST_GROWTH, `${JSON.stringify(pump)} grows ${growth} times`);
      }
    });
  }

  // Long enough for all of them to be past the depth at which the parser gives up.
  const parts = ["{ ", "$(", "`", "${A:-", "case x in ", "done; ", "<<EOF\n", "npm test && "];
  for (const part of parts) {
    test(`a command of ${JSON.stringify(part)} again and again costs no more than its length`, () => {
      const growth = measureGrowth(
        (length) => void findChecksAnew(makeText({ head: "npm test; ", pump: part }, length)),
        120_000,
      );
      assert.ok(growth < MOST_GROWTH, String(growth));
    });
  }

  test("a command of 1 MB and an output of 5 MB end", () => {
    const checks = findChecks(`npm test | tail; cat <<'EOF'\n${"text ".repeat(200_000)}\nEOF`, repo);
    assert.equal(checks.length, 1);
    const text = `${"error: one\n".repeat(450_000)}      Tests  1 failed | 2 passed (3)\n`;
    assert.deepEqual(
      getVerdicts(checks, { text, isError: false }).map(({ verdict }) => verdict),
      ["fail"],
    );
  });
});

describe("what is only paint", () => {
  const outputs = toolCases.flatMap((cases) => cases.outputs);
  // In this order: words are painted before there are colours to tear apart.
  const paints: Readonly<Record<string, (text: string) => string>> = {
    "colours inside lines": (text) => text.replaceAll(/\w+/g, (word) => `\u001B[38;5;1m${word}\u001B[0m`),
    colours: (text) => text.replaceAll(/[^\n]+/g, (line) => `\u001B[1m\u001B[31m${line}\u001B[39m\u001B[0m`),
    "line ends of Windows": (text) => text.replaceAll("\n", "\r\n"),
    "blank lines at the end": (text) => `${text}\n\n  \n`,
    "blanks at the ends of lines": (text) => text.replaceAll("\n", "  \n"),
    links: (text) => `\u001B]8;;https://example.com\u0007${text}\u001B]8;;\u0007`,
  };
  for (const [name, paint] of Object.entries(paints)) {
    test(`${name} change no verdict of any case`, () => {
      for (const { command, text, status } of outputs) {
        const checks = findChecks(command, repo);
        const given = status === undefined ? {} : { exitCode: status, isError: status !== 0 };
        const verdicts = (shown: string) =>
          getVerdicts(checks, { text: shown, ...given }).map(({ verdict }) => verdict);
        assert.deepEqual(verdicts(paint(text)), verdicts(text), `${command}: ${JSON.stringify(text)}`);
      }
    });
  }

  test("any mixture of them changes no verdict", () => {
    const mixture = fc.subarray(Object.values(paints), { minLength: 1 });
    fc.assert(
      fc.property(fc.constantFrom(...outputs), mixture, ({ command, text }, mixed) => {
        const checks = findChecks(command, repo);
        const painted = mixed.reduce((shown, paint) => paint(shown), text);
        assert.deepEqual(
          getVerdicts(checks, { text: painted }).map(({ verdict }) => verdict),
          getVerdicts(checks, { text }).map(({ verdict }) => verdict),
        );
      }),
    );
  });
});

describe("explain", () => {
  const works: Readonly<Record<string, string>> = {
    "npm run dev": "running a script",
    "gofmt -w .": "fixing",
    "prettier --write .": "fixing",
    "pytest --version": "help",
    "vitest --ui": "watching",
    "gofmt -d a.go; go test -list .": "listing",
    "cat tests/a.py": "reading",
    "sed -i s/a/b/ tests/a.py": "editing",
    "sed -n 1,5p tests/a.py": "reading",
    "cp tests/a.py b.py": "editing",
    "npm install": "installing",
    "cargo add serde": "installing",
    "git commit -m test": "recording",
    "curl https://example.com": "fetching",
    "pytest | grep x": "filtering",
    "sleep 5": "waiting",
    "node server.js": "other",
  };
  for (const [command, work] of Object.entries(works)) {
    test(`${command} ends in ${work}`, () => {
      const step = explainCommand(command, repo).steps.at(-1);
      assert.ok(step !== undefined && "refusal" in step);
      assert.equal(step.refusal.work, work, step.refusal.reason);
    });
  }

  test("says what a check is made of, and which line decided", () => {
    const output = { text: "collected 4 items\n1 failed, 3 passed in 0.10s\n", isError: false };
    const { steps, verdict } = explainCommand("cd api && timeout 9 uv run pytest -q | tail -5", repo, output);
    assert.equal(verdict, "fail");
    assert.deepEqual(
      steps.map(({ written, call, cwd }) => [written, call, cwd]),
      [
        ["timeout 9 uv run pytest -q", "pytest -q", "/repo/api"],
        ["tail -5", "tail -5", "/repo/api"],
      ],
    );
    const [step] = steps;
    assert.ok(step !== undefined && "check" in step);
    assert.equal(step.check.target.key, "pytest at=/repo/api");
    assert.deepEqual(step.reading, { verdict: "fail", evidence: "1 failed, 3 passed in 0.10s", lineNumber: 2 });
  });

  test("sees the checks that the library sees, in any line", () => {
    const all = toolCases.flatMap((cases) => [...Object.keys(cases.checks), ...(cases.ignored ?? [])]);
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...all), fc.string()), { maxLength: 4 }), (commands) => {
        const line = commands.join(" && ");
        const { steps } = explainCommand(line, repo);
        const checks = steps.flatMap((step) => ("check" in step ? [step.check] : []));
        assert.deepEqual(checks, findChecks(line, repo));
      }),
    );
  });

  const idle = makeIdleIo(repo);

  async function run(args: readonly string[], stdin = ""): Promise<string> {
    const printed: string[] = [];
    const io = { ...idle, stdin: Readable.from([stdin]), out: (line: string) => void printed.push(line) };
    assert.equal(await explain(args, io), 0);
    return printed.join("\n");
  }

  test("prints a check for people, aligned", async () => {
    const lines = (await run(["ruff check src || true; make install"])).split("\n");
    assert.equal(lines[0], "A check. Programs that the line starts: 3");
    assert.ok(lines.includes("   check     ruff check (lint)"), lines.join("\n"));
    assert.ok(lines.includes("   files     /repo/src"));
    assert.ok(lines.includes("   status    hidden by a pipe, an || or a later command: the text decides"));
  });

  test("reads a command from stdin and an output from a file", async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "catstack-explain-"));
    context.after(() => rm(folder, { recursive: true }));
    const file = join(folder, "output.txt");
    await writeFile(file, "All checks passed!\n");
    const text = await run(["-", "--output", file], "ruff check | cat\n");
    assert.match(text, /verdict {3}pass, by line 1: All checks passed!/);
    const json: unknown = JSON.parse(await run(["ruff check", "--exit-code", "1", "--json"]));
    assert.equal(JSON.stringify(json).includes('"verdict":"fail"'), true);
  });

  test("says what is wrong with a call", async () => {
    await assert.rejects(explain([], idle), /expected a command, or - for stdin/);
    await assert.rejects(explain(["ls", "--exit-code", "x"], idle), /expected --exit-code to be a number/);
    await assert.rejects(explain(["ls", "--exit-code", "256"], idle), /expected --exit-code to be a number/);
    await assert.rejects(explain(["ls", "--output", "/nowhere/x"], idle), /expected an output at \/nowhere\/x/);
  });
});
