import type { Tool, ToolCases } from "./tool.ts";

/** pytest. Status 4 is a usage error, 5 means no tests. */
export const pytestTools: readonly Tool[] = [
  {
    id: "pytest",
    kind: "test",
    calls: ["pytest", "py.test"],
    operands: "files",
    flags: {
      filter: "-k= -m= --deselect= --ignore= --ignore-glob= --lf|--last-failed --sw|--stepwise",
      config:
        "--collect-only|--co --cov-fail-under= --rootdir= -c|--config-file= -o|--override-ini= -W= --import-mode=",
      noise: `--ff --failed-first --nf -x --exitfirst --maxfail= -s -l --showlocals --capture= --tb= -r=
        --durations= --durations-min= -n= --numprocesses= --dist= --timeout= --color= --no-header
        --no-summary --disable-warnings --disable-pytest-warnings --full-trace --cache-clear -p= --cov
        --cov-report= --cov-config= --cov-append --cov-branch --no-cov --junitxml= --junit-xml= --html=
        --self-contained-html --log-cli-level= --log-level= --show-capture= --instafail`,
      inert: "--fixtures --markers --setup-plan --setup-only",
    },
    nothingStatus: [4, 5],
    lines: {
      fail: [
        /^(?:=+ )?(?:\d+ \w+, )*[1-9]\d* (?:failed|errors?)\b.* in \d[\d.]*m?s/,
        /^(?:=+ )?(?:\d+|no) tests? collected, [1-9]\d* errors?\b/,
        /^=+ (?:FAILURES|ERRORS) =+$/,
        /^(?:FAILED|ERROR) \S+(?:\.py|::)/,
        /^!+ (?:Interrupted: [1-9]\d* errors?|stopping after [1-9]\d* failures?)/,
        /^INTERNALERROR>/,
        /^ImportError while loading conftest/,
        /^(?:FAIL |ERROR: )(?:Required test coverage|Coverage failure)/,
        /^E {3}\S/,
        /^(?:\S+\.py )?[.sxX]*[FE][.FEsxX]* +\[ *\d+%\]$/,
      ],
      unfinished: [/^!+ KeyboardInterrupt !+$/],
      pass: [
        /^(?:=+ )?[1-9]\d*(?:\/\d+)? tests? collected\b.* in \d[\d.]*m?s/,
        /^(?:=+ )?(?:\d+ (?:\w+), )*\d+ passed\b.* in \d[\d.]*m?s/,
        /^(?:\S+\.py )?[.sxX]+ +\[100%\]$/,
      ],
      nothing: [
        /\bno tests (?:ran|collected)\b/,
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

export const pytestCases: ToolCases = {
  docs: {
    pytest: "https://docs.pytest.org/en/stable/reference/reference.html#command-line-flags",
  },
  checks: {
    pytest: "pytest",
    "python3 -m pytest tests/a.py": "pytest tests/a.py",
    "uv run pytest -k 'fast and not db' tests": "pytest tests -k fast and not db",
    ".venv/bin/python -m pytest tests/a.py::TestA::test_b": "pytest tests/a.py::TestA::test_b",
    "poetry run pytest -m 'not slow'": "pytest -m not slow",
    "coverage run -m pytest": "pytest",
  },
  ignored: ["pytest --fixtures", "pytest --version", "pip install pytest", "cat pytest.ini", "which pytest"],
  same: [
    ["pytest tests/a.py", "python -m pytest tests/a.py"],
    ["pytest tests", "PYTHONPATH=. timeout 60 pytest -xvs --tb=short -n 4 tests/ 2>&1 | tail -20"],
    ["pytest tests", "source venv/bin/activate && pytest --cov=app --cov-report=term-missing ./tests"],
    ["cd /repo/api && pytest", "pytest /repo/api"],
    ["pytest -k fast", "pytest -kfast"],
  ],
  different: [
    ["pytest", "pytest --collect-only"],
    ["pytest tests/a.py", "pytest tests/b.py"],
    ["pytest tests", "pytest tests/a.py"],
    ["pytest -k fast", "pytest -k slow"],
    ["pytest", "cd api && pytest"],
    ["pytest tests/a.py::test_x", "pytest tests/a.py::test_y"],
  ],
  outputs: [
    { command: "pytest | tail -1", text: "===== 12 passed, 1 skipped in 0.31s =====", verdict: "pass" },
    { command: "pytest -q | tail -1", text: "2 failed, 3 passed in 0.10s", verdict: "fail" },
    { command: "pytest | tail -1", text: "===== 3 passed, 1 error in 0.10s =====", verdict: "fail" },
    { command: "pytest -qq | tail -1", text: "........                 [100%]", verdict: "pass" },
    { command: "pytest -qq | head -1", text: "...F....                 [100%]", verdict: "fail" },
    { command: "pytest", text: "no tests ran in 0.01s", status: 5, verdict: "unknown" },
    { command: "pytest x.py | tail", text: "ERROR: file or directory not found: x.py", verdict: "unknown" },
    { command: "pytest | tail", text: "/usr/bin/python3: No module named pytest", verdict: "unknown" },
    { command: "pytest | head -3", text: "collected 9 items\n\ntests/a.py ....", verdict: "unknown" },
    { command: "pytest -k none | tail -1", text: "===== 9 deselected in 0.02s =====", verdict: "unknown" },
    { command: "pytest", text: "", status: 137, verdict: "unknown" },
    { command: "pytest --collect-only | tail -1", text: "===== 12 tests collected in 0.31s =====", verdict: "pass" },
    { command: "pytest --co -q | tail -1", text: "9 tests collected, 1 error in 0.31s", verdict: "fail" },
    { command: "pytest --co -k x | tail -1", text: "no tests collected (9 deselected) in 0.02s", verdict: "unknown" },
  ],
};
