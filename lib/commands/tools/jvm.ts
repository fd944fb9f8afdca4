import type { FlagTable } from "../flag-table.ts";
import type { Matcher, Tool, ToolCases } from "./tool.ts";

const sharedFlags: FlagTable = {
  filter: "--tests= -x=",
  project: "-pl|--projects=",
  folder: "-p|--project-dir=",
  manifest: "-f|--file=",
  noise: `-am -B|--batch-mode -e -T= -o -U -ntp|--no-transfer-progress --info --debug --stacktrace --no-daemon --console=
    --warning-mode= --continue --rerun-tasks --parallel --offline`,
  inert: "--dry-run",
};

const checkingGoal =
  /^(?:[\w.:-]*:)?(?:tests?|\w*Test|check|verify|build|compile\w*|package|install|site|lint\w*|assemble\w*|ktlintCheck|spotless(?:Check|:check)|detekt)$/;

/** A build tool whose words are goals checks when one of the goals does. */
function goals(name: string, programs: readonly string[]): Matcher {
  return {
    programs,
    find: ({ program, args, cwd, project }) =>
      programs.includes(program) && args.some((arg) => checkingGoal.test(arg))
        ? { name, args, cwd, project }
        : undefined,
  };
}

/** Maven, Gradle, sbt. */
export const jvmTools: readonly Tool[] = [
  {
    id: "maven",
    calls: [],
    match: goals("maven", ["mvn", "mvnw", "mvnd"]),
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
    match: goals("gradle", ["gradle", "gradlew"]),
    operands: "projects",
    sharedFlags,
    flags: {},
    lines: {
      fail: [
        /^BUILD FAILED\b/,
        /^\s*\d+ tests completed, [1-9]\d* failed/,
        /^FAILURE: Build (?:failed|completed with)/,
        /^\S(?=.* > ).* FAILED$/,
      ],
      pass: [/^BUILD SUCCESSFUL\b/],
      nothing: [/^Task '.*' not found in /],
    },
  },
  {
    id: "ant",
    calls: [],
    match: goals("ant", ["ant"]),
    operands: "projects",
    flags: {
      manifest: "-f|-buildfile|-file=",
      noise: "-q -quiet -v -verbose -lib= -logger=",
      inert: "-p -projecthelp",
    },
    lines: { fail: [/^BUILD FAILED$/], loose: [/^\s*\[javac\] .*: error: /], pass: [/^BUILD SUCCESSFUL$/] },
  },
  {
    id: "ktlint",
    kind: "lint",
    calls: ["ktlint", "detekt", "detekt-cli", "checkstyle"],
    eachCall: true,
    operands: "files",
    flags: {
      config: "-c= --config= --baseline= --build-upon-default-config --all-rules",
      noise: "--reporter= -f= -o=",
      inert: "-F --format",
    },
    silent: true,
    lines: {
      loose: [/^\S+\.kts?:\d+:\d+: /, /^\[ERROR\] \S+\.java:\d+/],
      fail: [/^Checkstyle ends with [1-9]\d* errors?\./],
    },
  },
  {
    id: "scalafmt --check",
    kind: "format",
    calls: ["scalafmt"],
    onlyWith: ["--check", "--test", "--list"],
    operands: "files",
    flags: { config: "-c|--config=", noise: "--check --test --list" },
    lines: { fail: [/^error: --test failed/], pass: [/^All files are formatted with scalafmt/] },
  },
  {
    id: "sbt",
    calls: [],
    match: goals("sbt", ["sbt", "mill"]),
    operands: "projects",
    flags: {},
    lines: { loose: [/^\[error\] /], pass: [/^\[success\] /] },
  },
];

export const jvmCases: ToolCases = {
  docs: {
    maven: "https://maven.apache.org/ref/current/maven-embedder/cli.html",
    gradle: "https://docs.gradle.org/current/userguide/command_line_interface.html",
    ant: "https://ant.apache.org/manual/running.html",
    ktlint: "https://pinterest.github.io/ktlint/latest/install/cli/",
    "scalafmt --check": "https://scalameta.org/scalafmt/docs/installation.html#cli",
    sbt: "https://www.scala-sbt.org/1.x/docs/",
  },
  checks: {
    "mvn -q test": "maven test",
    "./gradlew :app:test --tests A": "gradle :app:test --tests A",
    "sbt test": "sbt test",
    "ant test": "ant test",
    "ktlint src": "ktlint src",
    "scalafmt --check": "scalafmt --check",
  },
  ignored: ["mvn dependency:tree", "./gradlew tasks", "mvn clean", "ant clean", "ktlint -F", "scalafmt"],
  different: [
    ["ktlint", "detekt"],
    ["./gradlew test", "./gradlew lint"],
  ],
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
    { command: "ant test | tail -3", text: "BUILD SUCCESSFUL\nTotal time: 2 seconds", verdict: "pass" },
    { command: "ant test | tail -3", text: "BUILD FAILED\n/repo/build.xml:12: Tests failed", verdict: "fail" },
    { command: "ktlint | head", text: "src/A.kt:3:1: Unused import (standard:no-unused-imports)", verdict: "fail" },
    { command: "ktlint", text: "", status: 0, verdict: "pass" },
    { command: "scalafmt --check | tail -1", text: "All files are formatted with scalafmt :)", verdict: "pass" },
    { command: "scalafmt --check | tail -1", text: "error: --test failed", verdict: "fail" },
    { command: "sbt test | tail", text: "[success] Total time: 3 s", verdict: "pass" },
  ],
};
