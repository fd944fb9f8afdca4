import type { Lines, Tool, ToolCases } from "./tool.ts";

const lines: Lines = {
  fail: [/^FAILED \((?:failures|errors|unexpected successes)=/, /^(?:FAIL|ERROR): \S+ \(/, /^== Tests result: FAILURE/],
  pass: [/^OK(?: \([^)]*\))?$/, /^== Tests result: SUCCESS/],
  nothing: [
    /^Ran 0 tests in /,
    /^NO TESTS RAN/,
    /^ModuleNotFoundError: No module named 'tests?'/,
    /^== Tests result: NO TESTS? RAN/,
  ],
};

/** unittest, regrtest (`python -m test`), Django. */
export const unittestTools: readonly Tool[] = [
  {
    id: "unittest",
    kind: "test",
    calls: ["unittest discover", "unittest", "nose2", "nosetests"],
    operands: "mixed",
    flags: {
      filter: "-k= -p|--pattern=",
      config: "-t|--top-level-directory=",
      file: "-s|--start-directory=",
      noise: "-f --failfast -b --buffer -c --catch --locals --durations=",
    },
    nothingStatus: [5],
    lines,
  },
  {
    id: "python -m test",
    kind: "test",
    calls: [],
    match: {
      hint: /-m\s*test\b/,
      find: ({ path, args, cwd, project }) =>
        path === "-m test" ? { name: "python -m test", args, cwd, project } : undefined,
    },
    operands: "filters",
    flags: { filter: "-m=", config: "-u=", noise: "-j= -w" },
    lines,
  },
  {
    id: "django test",
    kind: "test",
    calls: ["manage.py test", "django-admin test", "django test"],
    operands: "filters",
    flags: {
      filter: "-k= --tag= --exclude-tag=",
      config: "--settings=",
      noise: "--parallel --keepdb --noinput|--no-input --failfast",
    },
    lines,
  },
];

export const unittestCases: ToolCases = {
  docs: {
    unittest: "https://docs.python.org/3/library/unittest.html#command-line-interface",
    "python -m test": "https://docs.python.org/3/library/test.html",
    "django test": "https://docs.djangoproject.com/en/stable/ref/django-admin/#test",
  },
  checks: {
    "python3 -m unittest tests.a": "unittest tests.a",
    "python -m unittest discover -s tests": "unittest tests",
    "python manage.py test app": "django test app",
    "./python -m test test_os": "python -m test test_os",
  },
  ignored: ["python manage.py runserver", "python manage.py migrate", "test -d tests"],
  different: [["python3 -m unittest tests.a", "python3 -m unittest tests.b"]],
  outputs: [
    { command: "python manage.py test | tail -1", text: "FAILED (failures=1)", verdict: "fail" },
    { command: "python manage.py test | tail -1", text: "OK (skipped=2)", verdict: "pass" },
    { command: "python -m test test_json | tail -1", text: "== Tests result: SUCCESS ==", verdict: "pass" },
    { command: "python -m unittest | tail", text: "Ran 3 tests in 0.001s\n\nOK", verdict: "pass" },
    { command: "python -m unittest | tail", text: "Ran 3 tests in 0.001s\n\nOK (skipped=1)", verdict: "pass" },
    { command: "python -m unittest | tail", text: "Ran 3 tests in 0.001s\n\nFAILED (failures=1)", verdict: "fail" },
    { command: "python -m unittest | tail", text: "Ran 0 tests in 0.000s\n\nNO TESTS RAN", verdict: "unknown" },
  ],
};
