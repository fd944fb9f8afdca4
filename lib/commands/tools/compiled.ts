import type { FlagTable } from "../flags.ts";
import type { Call } from "../shell/call.ts";
import type { Lines, Match, Tool } from "./tool.ts";

const javaFlags: FlagTable = {
  "-f": "manifest=",
  "--file": "-f",
  "-pl": "project=",
  "--projects": "-pl",
  "-p": "folder=",
  "--project-dir": "-p",
  "--tests": "filter=",
  "-x": "filter=",
  "-am": "noise",
  "-B": "noise",
  "--batch-mode": "noise",
  "-e": "noise",
  "-T": "noise=",
  "-o": "noise",
  "-U": "noise",
  "-ntp": "noise",
  "--no-transfer-progress": "noise",
  "--info": "noise",
  "--debug": "noise",
  "--stacktrace": "noise",
  "--no-daemon": "noise",
  "--console": "noise=",
  "--warning-mode": "noise=",
  "--continue": "noise",
  "--rerun-tasks": "noise",
  "--parallel": "noise",
  "--offline": "noise",
  "--dry-run": "inert",
};

const mavenLines: Lines = {
  fail: [/\bBUILD FAILURE\b/, /\bTests run: \d+, Failures: (?:[1-9]|\d+, Errors: [1-9])/],
  pass: [/\bBUILD SUCCESS\b/],
  nothing: [/\bThe goal you specified requires a project to execute but there is no POM/],
  problem: [/^\[ERROR\] /],
};

const gradleLines: Lines = {
  fail: [
    /^BUILD FAILED\b/,
    /^\s*\d+ tests completed, [1-9]\d* failed/,
    /^FAILURE: Build (?:failed|completed with)/,
    /^\S.* > .* FAILED$/,
  ],
  pass: [/^BUILD SUCCESSFUL\b/],
  nothing: [/^Task '.*' not found in /],
};

const swiftLines: Lines = {
  fail: [
    /\*\* (?:TEST|BUILD|ANALYZE)(?: \w+)? FAILED \*\*/,
    /^\s*Executed \d+ tests?, with (?:\d+ tests? skipped and )?[1-9]\d* failures?/,
    /^✘ Test run with \d+ tests?/,
    /^✘ (?:Test|Suite) .* (?:failed|recorded)/,
    /^Test Case .* failed \(/,
    /^xcodebuild: error: /,
  ],
  loose: [/: error: /, /^error: /],
  pass: [
    /\*\* (?:TEST|BUILD|ANALYZE)(?: \w+)? SUCCEEDED \*\*/,
    /^\s*Executed [1-9]\d* tests?, with (?:\d+ tests? skipped and )?0 failures/,
    /^✔ Test run with [1-9]\d* tests?.* passed/,
  ],
  nothing: [/^\s*Executed 0 tests/],
};

const goals =
  /^(?:[\w.:-]*:)?(?:test|tests|check|verify|build|compile\w*|package|install|integrationTest|\w*Test|lint\w*|assemble\w*|site|ktlintCheck|spotlessCheck|spotless:check|detekt)$/;

/** A build tool whose words are goals: it checks when one of the goals does. */
function findGoals(id: string, programs: RegExp, call: Call): Match | undefined {
  if (!programs.test(call.program) || !call.args.some((arg) => goals.test(arg))) return undefined;
  return { name: id, args: call.args, cwd: call.cwd, project: call.project };
}

/**
 * Build tools of compiled languages. Maven: https://maven.apache.org/ref/current/maven-embedder/cli.html; Gradle:
 * https://docs.gradle.org/current/userguide/command_line_interface.html; dotnet:
 * https://learn.microsoft.com/dotnet/core/tools/dotnet-test; Swift: https://www.swift.org/documentation/; xcodebuild:
 * `man xcodebuild`; ctest: https://cmake.org/cmake/help/latest/manual/ctest.1.html; Bazel: https://bazel.build/docs/user-manual
 */
export const compiledTools: readonly Tool[] = [
  {
    id: "maven",
    calls: [],
    match: { hint: /mvn/, find: (call) => findGoals("maven", /^mvn[wd]?$/, call) },
    args: { operands: "projects", flags: javaFlags },
    lines: mavenLines,
  },
  {
    id: "gradle",
    calls: [],
    match: { hint: /gradle/, find: (call) => findGoals("gradle", /^gradlew?$/, call) },
    args: { operands: "projects", flags: javaFlags },
    lines: gradleLines,
  },
  {
    id: "sbt",
    calls: [],
    match: { hint: /\b(?:sbt|mill)\b/, find: (call) => findGoals("sbt", /^(?:sbt|mill)$/, call) },
    args: { operands: "projects", flags: {} },
    lines: { fail: [], loose: [/^\[error\] /], pass: [/^\[success\] /] },
  },
  {
    id: "dotnet test",
    calls: ["dotnet test"],
    args: {
      operands: "files",
      flags: {
        "--filter": "filter=",
        "-c": "config=",
        "--configuration": "-c",
        "-f": "config=",
        "--framework": "-f",
        "--no-build": "noise",
        "--no-restore": "noise",
        "--nologo": "noise",
        "-l": "noise=",
        "--logger": "noise=",
        "-v": "noise=",
        "--verbosity": "noise=",
        "-t": "inert",
        "--list-tests": "inert",
      },
    },
    lines: {
      fail: [/^Failed! +- Failed: /, /^Test Run Failed\./, /\berror (?:CS|MSB|NETSDK)\d+: /, /^\s+Failed \S+ \[/],
      pass: [/^Passed! +- Failed: +0/, /^Test Run Successful\./],
      nothing: [/^No test (?:is available|matches the given)/],
    },
  },
  {
    id: "dotnet build",
    calls: ["dotnet build", "dotnet format"],
    args: {
      operands: "files",
      flags: {
        "-c": "config=",
        "--configuration": "-c",
        "--no-restore": "noise",
        "--nologo": "noise",
        "-v": "noise=",
        "--verbosity": "noise=",
        "--verify-no-changes": "noise",
      },
    },
    lines: {
      fail: [/^Build FAILED\./, /\berror (?:CS|MSB|NETSDK)\d+: /],
      pass: [/^Build succeeded\./, /^\s+0 Error\(s\)/],
    },
  },
  {
    id: "swift test",
    calls: ["swift test"],
    args: {
      operands: "filters",
      flags: {
        "--filter": "filter=",
        "--skip": "filter=",
        "--package-path": "folder=",
        "--parallel": "noise",
        "-c": "config=",
        "--list-tests": "inert",
      },
    },
    lines: swiftLines,
  },
  {
    id: "swift build",
    calls: ["swift build"],
    args: {
      operands: "filters",
      flags: { "--package-path": "folder=", "-c": "config=", "--target": "filter=", "--product": "filter=" },
    },
    lines: { fail: [], loose: [/: error: /, /^error: /], pass: [/^Build complete!/] },
  },
  {
    id: "xcodebuild",
    calls: [],
    match: {
      hint: /xcodebuild/,
      find: (call) => {
        const action = call.args.find((arg) =>
          /^(?:test|build|analyze|build-for-testing|test-without-building)$/.test(arg),
        );
        if (call.program !== "xcodebuild" || action === undefined) return undefined;
        const args = call.args.filter((arg) => arg !== action);
        return { name: `xcodebuild ${action}`, args, cwd: call.cwd, project: call.project };
      },
    },
    args: {
      operands: "filters",
      flags: {
        "-project": "project=",
        "-workspace": "project=",
        "-scheme": "project=",
        "-target": "project=",
        "-testPlan": "filter=",
        "-only-testing": "filter=",
        "-skip-testing": "filter=",
        "-destination": "config=",
        "-configuration": "config=",
        "-sdk": "config=",
        "-quiet": "noise",
        "-derivedDataPath": "noise=",
        "-resultBundlePath": "noise=",
        "-list": "inert",
        "-showBuildSettings": "inert",
      },
    },
    lines: swiftLines,
  },
  {
    id: "swiftlint",
    calls: ["swiftlint lint", "swiftlint", "swiftformat"],
    not: ["rules", "version", "--fix", "autocorrect"],
    args: {
      operands: "files",
      flags: { "--strict": "config", "--config": "config=", "--path": "file=", "--lint": "noise", "--fix": "inert" },
    },
    lines: {
      fail: [/^Done linting! Found \d+ violations?, [1-9]\d* serious/],
      pass: [/^Done linting! Found \d+ violations?, 0 serious/],
      problem: [/: error: /],
    },
  },
  {
    id: "ctest",
    calls: ["ctest"],
    args: {
      operands: "filters",
      flags: {
        "-R": "filter=",
        "-E": "filter=",
        "-L": "filter=",
        "-LE": "filter=",
        "--test-dir": "folder=",
        "-C": "config=",
        "-j": "noise=",
        "--parallel": "noise=",
        "--output-on-failure": "noise",
        "-VV": "noise",
        "--test-load": "noise=",
        "--timeout": "noise=",
        "--rerun-failed": "filter",
        "-N": "inert",
        "--show-only": "inert",
      },
    },
    lines: {
      fail: [/^\s*\d+% tests passed, [1-9]\d* tests? failed/, /^The following tests FAILED:/],
      pass: [/^\s*100% tests passed/],
      nothing: [/^No tests were found/],
    },
  },
  {
    id: "cmake --build",
    calls: ["cmake", "ninja", "meson test", "meson compile"],
    onlyWith: ["--build", "-C"],
    args: {
      operands: "projects",
      flags: {
        "--build": "folder=",
        "-C": "folder=",
        "--target": "project=",
        "-t": "--target",
        "--config": "config=",
        "-j": "noise=",
        "--parallel": "noise=",
      },
    },
    lines: {
      loose: [/^FAILED: /, /: (?:fatal )?error: /],
      fail: [/^ninja: build stopped/, /^\s*(?:Fail|Timeout): +[1-9]/],
      pass: [/^\[100%\] Built target/, /^ninja: no work to do/, /^\s*Fail: +0/, /^\[(\d+)\/\1\] /],
    },
  },
  {
    id: "bazel",
    calls: ["bazel test", "bazel build", "bazelisk test", "bazelisk build", "buck2 test", "buck2 build"],
    args: {
      operands: "projects",
      flags: {
        "--config": "config=",
        "--test_filter": "filter=",
        "--test_output": "noise=",
        "--test_tag_filters": "filter=",
        "-c": "config=",
      },
    },
    lines: {
      loose: [/^(?:FAILED|ERROR): /],
      fail: [
        /^\/\/\S+ +(?:FAILED|TIMEOUT)/,
        /\b[1-9]\d* fails? (?:locally|remotely|to)/,
        /^INFO: Build did NOT complete/,
      ],
      pass: [/^INFO: Build completed successfully/, /^Executed .*: .* tests? pass/],
    },
  },
  {
    id: "zig build",
    calls: ["zig build test", "zig build", "zig test"],
    args: { operands: "mixed", flags: { "--test-filter": "filter=", "-Doptimize": "config=", "--summary": "noise=" } },
    silent: true,
    lines: {
      fail: [/^error: the following /],
      loose: [/: error: /, /\b[1-9]\d* failed\b/],
      pass: [/^All \d+ tests passed/],
    },
  },
];
