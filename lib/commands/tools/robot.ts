import type { Tool, ToolCases } from "./tool.ts";

/** Tests told in sentences, and browsers driven by a runner of their own. */

export const robotTools: readonly Tool[] = [
  {
    id: "robot",
    kind: "test",
    calls: ["robot", "pabot"],
    operands: "files",
    flags: {
      filter: "-t|--test= -s|--suite= -i|--include= -e|--exclude=",
      config: "-v|--variable= -V|--variablefile=",
      noise: "-d|--outputdir= -o|--output= -l|--log= -r|--report= -L|--loglevel= --processes=",
      inert: "--dryrun",
    },
    lines: {
      fail: [/^[1-9]\d* tests?, \d+ passed, [1-9]\d* failed/],
      pass: [/^[1-9]\d* tests?, [1-9]\d* passed, 0 failed/],
    },
  },
  {
    id: "behave",
    kind: "test",
    calls: ["behave", "cucumber", "cucumber-js"],
    eachCall: true,
    operands: "files",
    flags: {
      filter: "-n|--name= -t|--tags= -i|--include= -e|--exclude= -p|--profile=",
      noise: "-f|--format= -o= --no-capture --parallel= --publish-quiet",
      inert: "-d|--dry-run --steps-catalog",
    },
    lines: {
      fail: [
        /^\d+ scenarios? passed, [1-9]\d* failed/,
        /^\d+ scenarios? \(.*\b[1-9]\d* (?:failed|undefined|ambiguous)/,
      ],
      pass: [/^[1-9]\d* scenarios? passed, 0 failed/, /^[1-9]\d* scenarios? \([1-9]\d* passed\)/],
      nothing: [/^0 scenarios$/, /^0 features passed, 0 failed, [1-9]\d* skipped/],
    },
  },
  {
    id: "karma",
    kind: "test",
    calls: ["karma start", "karma run", "web-test-runner", "wtr", "ember test", "testem ci"],
    eachCall: true,
    operands: "files",
    flags: {
      filter: "--filter= --group= --grep=",
      config: "--browsers= --config= -c=",
      noise: "--single-run --reporters= --no-auto-watch --coverage --log-level=",
      inert: "--watch --server",
    },
    lines: {
      fail: [/\bExecuted \d+ of \d+ \([1-9]\d* FAILED\)/, /^TOTAL: [1-9]\d* FAILED/, /^# fail\s+[1-9]/],
      pass: [/\bExecuted ([1-9]\d*) of \1 SUCCESS/, /^TOTAL: [1-9]\d* SUCCESS/, /^# ok$/],
      nothing: [/\bExecuted 0 of 0\b/],
    },
  },
];

export const robotCases: ToolCases = {
  docs: {
    robot: "https://robotframework.org/robotframework/latest/RobotFrameworkUserGuide.html#executing-test-cases",
    behave: "https://behave.readthedocs.io/en/stable/behave.html",
    karma: "https://karma-runner.github.io/latest/config/configuration-file.html",
  },
  checks: {
    "robot -i smoke tests": "robot tests -i smoke",
    "behave --tags=@fast features": "behave features -t @fast",
    "npx karma start --single-run": "karma start",
    "npx cucumber-js": "cucumber-js",
  },
  ignored: ["robot --dryrun tests", "behave --dry-run", "wtr --watch"],
  different: [["robot tests/a.robot", "robot tests/b.robot"]],
  outputs: [
    { command: "robot tests | tail", text: "5 tests, 5 passed, 0 failed", verdict: "pass" },
    { command: "robot tests | tail", text: "5 tests, 4 passed, 1 failed", verdict: "fail" },
    { command: "behave | tail", text: "4 scenarios passed, 0 failed, 0 skipped", verdict: "pass" },
    { command: "npx cucumber-js | tail", text: "4 scenarios (1 failed, 3 passed)", verdict: "fail" },
    {
      command: "karma start --single-run | tail",
      text: "Chrome Headless 120.0: Executed 12 of 12 SUCCESS (0.1 secs / 0.05 secs)",
      verdict: "pass",
    },
    {
      command: "karma start --single-run | tail",
      text: "Chrome Headless 120.0: Executed 12 of 12 (2 FAILED) (0.1 secs / 0.05 secs)",
      verdict: "fail",
    },
  ],
};
