import type { FlagTable } from "../flag-table.ts";
import type { Call } from "../shell/call.ts";
import type { Match, Tool, ToolCases } from "./tool.ts";

const sharedFlags: FlagTable = {
  filter: "--tests= -x=",
  project: "-pl|--projects=",
  folder: "-p|--project-dir=",
  manifest: "-f|--file=",
  noise: `-am -B|--batch-mode -e -T= -o -U -ntp|--no-transfer-progress --info --debug --stacktrace --no-daemon --console=
    --warning-mode= --continue --rerun-tasks --parallel --offline`,
  inert: "--dry-run",
};

const goals =
  /^(?:[\w.:-]*:)?(?:tests?|\w*Test|check|verify|build|compile\w*|package|install|site|lint\w*|assemble\w*|ktlintCheck|spotless(?:Check|:check)|detekt)$/;

/** A build tool whose words are goals checks when one of the goals does. */
function findGoals(id: string, programs: RegExp, call: Call): Match | undefined {
  if (!programs.test(call.program) || !call.args.some((arg) => goals.test(arg))) return undefined;
  return { name: id, args: call.args, cwd: call.cwd, project: call.project };
}

/**
 * Maven: https://maven.apache.org/ref/current/maven-embedder/cli.html; Gradle:
 * https://docs.gradle.org/current/userguide/command_line_interface.html; sbt: https://www.scala-sbt.org/1.x/docs/
 */
export const jvmTools: readonly Tool[] = [
  {
    id: "maven",
    calls: [],
    match: { hint: /mvn/, find: (call) => findGoals("maven", /^mvn[wd]?$/, call) },
    operands: "projects",
    sharedFlags,
    flags: {},
    lines: {
      fail: [/\bBUILD FAILURE\b/, /\bTests run: \d+, Failures: (?:[1-9]|\d+, Errors: [1-9])/],
      pass: [/\bBUILD SUCCESS\b/],
      problem: [/^\[ERROR\] /],
      nothing: [/\bThe goal you specified requires a project to execute but there is no POM/],
    },
  },
  {
    id: "gradle",
    calls: [],
    match: { hint: /gradle/, find: (call) => findGoals("gradle", /^gradlew?$/, call) },
    operands: "projects",
    sharedFlags,
    flags: {},
    lines: {
      fail: [
        /^BUILD FAILED\b/,
        /^\s*\d+ tests completed, [1-9]\d* failed/,
        /^FAILURE: Build (?:failed|completed with)/,
        /^\S.* > .* FAILED$/,
      ],
      pass: [/^BUILD SUCCESSFUL\b/],
      nothing: [/^Task '.*' not found in /],
    },
  },
  {
    id: "sbt",
    calls: [],
    match: { hint: /\b(?:sbt|mill)\b/, find: (call) => findGoals("sbt", /^(?:sbt|mill)$/, call) },
    operands: "projects",
    flags: {},
    lines: { loose: [/^\[error\] /], pass: [/^\[success\] /] },
  },
];

export const jvmCases: ToolCases = {
  checks: {
    "mvn -q test": "maven test",
    "./gradlew :app:test --tests A": "gradle :app:test --tests A",
    "sbt test": "sbt test",
  },
  ignored: ["mvn dependency:tree", "./gradlew tasks", "mvn clean"],
  different: [["./gradlew test", "./gradlew lint"]],
  outputs: [
    { command: "mvn test | tail", text: "[INFO] BUILD SUCCESS", verdict: "pass" },
    {
      command: "mvn test | tail",
      text: "[ERROR] Tests run: 53, Failures: 7, Errors: 0, Skipped: 4\n[INFO] BUILD FAILURE",
      verdict: "fail",
    },
    {
      command: "./gradlew test | tail",
      text: "53 tests completed, 7 failed\n\nFAILURE: Build failed with an exception.",
      verdict: "fail",
    },
    {
      command: "./gradlew test | tail",
      text: "BUILD SUCCESSFUL in 47s\n19 actionable tasks: 11 executed",
      verdict: "pass",
    },
    { command: "sbt test | tail", text: "[success] Total time: 3 s", verdict: "pass" },
  ],
};
