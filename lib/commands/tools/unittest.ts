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
