import type { Tool, ToolCases } from "./tool.ts";

/** Dart and Flutter. */
export const dartTools: readonly Tool[] = [
  {
    id: "dart test",
    kind: "test",
    calls: ["dart test", "flutter test"],
    operands: "files",
    flags: {
      filter: "-n|--name= -N|--plain-name= -t|--tags= -x|--exclude-tags=",
      config: "-p|--platform= -d|--device-id=",
      noise: "-r|--reporter= -j|--concurrency= --coverage --no-pub --machine",
      inert: "--update-goldens",
    },
    lines: {
      fail: [/: Some tests failed\.$/, /^Some tests failed\.$/, /^\d\d:\d\d \+\d+(?: ~\d+)? -[1-9]\d*: .*\[E\]$/],
      pass: [/: All tests passed!$/, /^All tests passed!$/],
      nothing: [
        /^No tests (?:ran|were found)/,
        /^Could not find a file named "pubspec\.yaml"/,
        /^Error: No pubspec\.yaml file found/,
      ],
    },
  },
  {
    id: "dart analyze",
    kind: "lint",
    calls: ["dart analyze", "flutter analyze"],
    operands: "files",
    flags: { config: "--fatal-infos --fatal-warnings", noise: "--no-pub" },
    lines: { fail: [/^[1-9]\d* issues? found\./], pass: [/^No issues found!/] },
  },
  {
    id: "dart format",
    kind: "format",
    calls: ["dart format"],
    onlyWith: ["--set-exit-if-changed"],
    operands: "files",
    flags: { config: "-l|--line-length=", noise: "--set-exit-if-changed -o|--output=" },
    lines: { fail: [/^Formatted \d+ files? \([1-9]\d* changed\)/], pass: [/^Formatted \d+ files? \(0 changed\)/] },
  },
];

export const dartCases: ToolCases = {
  docs: {
    "dart test": "https://dart.dev/tools/dart-test",
    "dart analyze": "https://dart.dev/tools/dart-analyze",
    "dart format": "https://dart.dev/tools/dart-format",
  },
  checks: {
    "flutter test test/a_test.dart": "dart test test/a_test.dart",
    "dart analyze lib": "dart analyze lib",
    "dart format -o none --set-exit-if-changed .": "dart format",
  },
  ignored: ["flutter run", "dart format .", "flutter pub get"],
  different: [["dart test -n a", "dart test -n b"]],
  outputs: [
    { command: "flutter test | tail -1", text: "00:03 +12: All tests passed!", verdict: "pass" },
    { command: "flutter test | tail -1", text: "00:03 +11 -1: Some tests failed.", verdict: "fail" },
    { command: "dart analyze | tail -1", text: "2 issues found.", verdict: "fail" },
    { command: "dart analyze | tail -1", text: "No issues found!", verdict: "pass" },
    {
      command: "dart format --set-exit-if-changed lib | tail -1",
      text: "Formatted 12 files (1 changed) in 0.31 seconds.",
      verdict: "fail",
    },
    {
      command: "dart format --set-exit-if-changed lib | tail -1",
      text: "Formatted 12 files (0 changed) in 0.31 seconds.",
      verdict: "pass",
    },
  ],
};
