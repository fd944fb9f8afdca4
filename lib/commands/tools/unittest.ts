import type { Lines, Tool } from "./tool.ts";

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

/**
 * unittest: https://docs.python.org/3/library/unittest.html#command-line-interface; regrtest (`python -m test`):
 * https://docs.python.org/3/library/test.html; Django: https://docs.djangoproject.com/en/stable/ref/django-admin/#test
 */
export const unittestTools: readonly Tool[] = [
  {
    id: "unittest",
    calls: ["unittest discover", "unittest", "nose2", "nosetests"],
    args: {
      operands: "mixed",
      flags: {
        "-k": "filter=",
        "-s": "file=",
        "--start-directory": "-s",
        "-p": "filter=",
        "--pattern": "-p",
        "-t": "config=",
        "--top-level-directory": "-t",
        "-f": "noise",
        "--failfast": "noise",
        "-b": "noise",
        "--buffer": "noise",
        "-c": "noise",
        "--catch": "noise",
        "--locals": "noise",
        "--durations": "noise=",
      },
    },
    nothingStatus: [5],
    lines,
  },
  {
    id: "python -m test",
    calls: [],
    match: {
      hint: /-m\s*test\b/,
      find: (call) =>
        call.path === "-m test"
          ? { name: "python -m test", args: call.args, cwd: call.cwd, project: call.project }
          : undefined,
    },
    args: { operands: "filters", flags: { "-j": "noise=", "-w": "noise", "-m": "filter=", "-u": "config=" } },
    lines,
  },
  {
    id: "django test",
    calls: ["manage.py test", "django-admin test", "django test"],
    args: {
      operands: "filters",
      flags: {
        "-k": "filter=",
        "--tag": "filter=",
        "--exclude-tag": "filter=",
        "--settings": "config=",
        "--parallel": "noise",
        "--keepdb": "noise",
        "--noinput": "noise",
        "--no-input": "noise",
        "--failfast": "noise",
      },
    },
    lines,
  },
];
