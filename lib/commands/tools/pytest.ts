import type { Tool } from "./tool.ts";

/**
 * pytest: https://docs.pytest.org/en/stable/reference/reference.html#command-line-flags. Status 4 is a usage
 * error, 5 means no tests.
 */
export const pytestTools: readonly Tool[] = [
  {
    id: "pytest",
    calls: ["pytest", "py.test"],
    operands: "files",
    flags: {
      filter: "-k= -m= --deselect= --ignore= --ignore-glob= --lf|--last-failed --sw|--stepwise",
      config: "--cov-fail-under= --rootdir= -c|--config-file= -o|--override-ini= -W= --import-mode=",
      noise: `--ff --failed-first --nf -x --exitfirst --maxfail= -s -l --showlocals --capture= --tb= -r=
        --durations= --durations-min= -n= --numprocesses= --dist= --timeout= --color= --no-header
        --no-summary --disable-warnings --disable-pytest-warnings --full-trace --cache-clear -p= --cov
        --cov-report= --cov-config= --cov-append --cov-branch --no-cov --junitxml= --junit-xml= --html=
        --self-contained-html --log-cli-level= --log-level= --show-capture= --instafail`,
      inert: "--collect-only --co --fixtures --markers --setup-plan --setup-only",
    },
    nothingStatus: [4, 5],
    lines: {
      fail: [
        /^(?:=+ )?(?:\d+ \w+, )*[1-9]\d* (?:failed|errors?)\b.* in \d[\d.]*m?s/,
        /^=+ (?:FAILURES|ERRORS) =+$/,
        /^(?:FAILED|ERROR) \S+(?:\.py|::)/,
        /^!+ (?:Interrupted: [1-9]\d* errors?|stopping after [1-9]\d* failures?)/,
        /^INTERNALERROR>/,
        /^ImportError while loading conftest/,
        /^(?:FAIL |ERROR: )(?:Required test coverage|Coverage failure)/,
        /^E {3}\S/,
        /^(?:\S+\.py )?[.sxX]*[FE][.FEsxX]* +\[ *\d+%\]$/,
      ],
      pass: [/^(?:=+ )?(?:\d+ (?:\w+), )*\d+ passed\b.* in \d[\d.]*m?s/, /^(?:\S+\.py )?[.sxX]+ +\[100%\]$/],
      nothing: [
        /\bno tests ran\b/,
        /^collected 0 items(?!.*error)/,
        /^(?:=+ )?\d+ deselected(?:, \d+ warnings?)? in /,
        /^(?:=+ )?\d+ skipped(?:, \d+ \w+)* in /,
        /^ERROR: (?:file or directory )?not found: /,
        /^ERROR: usage: /,
        /\bNo module named ['"]?_?pytest\b/,
        /error: unrecognized arguments:/,
      ],
    },
  },
];
