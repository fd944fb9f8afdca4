import type { Call } from "../shell/call.ts";
import type { Match, Tool, ToolCases } from "./tool.ts";

/** R and Julia, whose tests are started by an expression. */

export const rTools: readonly Tool[] = [
  {
    id: "R test",
    kind: "test",
    calls: ["R CMD check"],
    match: {
      programs: ["R", "Rscript"],
      find: (call) => findExpression(call, "R test", /^(?:R|Rscript)$/, rCheck),
    },
    operands: "files",
    flags: { filter: "-e=", noise: "--no-manual --as-cran --no-save --no-restore --vanilla" },
    lines: {
      fail: [/^\[ FAIL [1-9]/, /^Status: .*\b[1-9]\d* ERRORs?/, /^[1-9]\d* errors? [✖x✔]/],
      loose: [/^Execution halted$/],
      pass: [
        /^\[ FAIL 0 \| WARN \d+ \| SKIP \d+ \| PASS [1-9]/,
        /^Status: (?:OK|\d+ (?:NOTE|WARNING)s?)/,
        /^0 errors [✖x✔]/,
      ],
    },
  },
  {
    id: "julia test",
    kind: "test",
    calls: [],
    match: { programs: ["julia"], find: (call) => findExpression(call, "julia test", /^julia$/, /\bPkg\.test\(/) },
    operands: "files",
    flags: { filter: "-e|--eval=", folder: "--project=", noise: "-t= --threads= --color=" },
    lines: {
      fail: [/^ERROR: (?:Package \S+ errored during testing|Some tests did not pass)/, /^Some tests did not pass: /],
      pass: [/^\s*Testing \S+ tests passed\b/],
    },
  },
];

const rCheck = /\b(?:devtools::(?:test|check|lint)|testthat::test_\w+|tinytest::\w+|lintr::lint\w*)\(/;

function findExpression(call: Call, name: string, programs: RegExp, checks: RegExp): Match | undefined {
  if (!programs.test(call.program) || !call.args.some((arg) => checks.test(arg))) return undefined;
  return { name, args: call.args, cwd: call.cwd, project: call.project };
}

export const rCases: ToolCases = {
  docs: {
    "R test": "https://devtools.r-lib.org/reference/test.html",
    "julia test": "https://pkgdocs.julialang.org/v1/api/#Pkg.test",
  },
  checks: {
    "Rscript -e 'devtools::test()'": "R test -e devtools::test()",
    "R CMD check --no-manual app_1.0.tar.gz": "R test app_1.0.tar.gz",
    "julia --project=. -e 'using Pkg; Pkg.test()'": "julia test -e using Pkg; Pkg.test()",
  },
  ignored: ["Rscript a.R", "R CMD build .", "julia -e 'using Pkg; Pkg.add(\"A\")'"],
  outputs: [
    {
      command: "Rscript -e 'devtools::test()' | tail -1",
      text: "[ FAIL 0 | WARN 0 | SKIP 0 | PASS 12 ]",
      verdict: "pass",
    },
    {
      command: "Rscript -e 'devtools::test()' | tail -1",
      text: "[ FAIL 1 | WARN 0 | SKIP 0 | PASS 11 ]",
      verdict: "fail",
    },
    { command: "R CMD check a.tar.gz | tail -1", text: "Status: 1 ERROR, 1 NOTE", verdict: "fail" },
    { command: "julia -e 'using Pkg; Pkg.test()' | tail -1", text: "     Testing App tests passed", verdict: "pass" },
  ],
};
