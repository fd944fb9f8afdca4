import type { Lines, Tool, ToolCases } from "./tool.ts";

const lines: Lines = {
  fail: [
    /\*\* (?:TEST|BUILD|ANALYZE)(?: \w+)? FAILED \*\*/,
    /^\s*Executed \d+ tests?, with (?:\d+ tests? skipped and )?[1-9]\d* failures?/,
    /^✘ Test run with \d+ tests?/,
    /^✘ (?:Test|Suite) .* (?:failed|recorded)/,
    /^Test Case .* failed \(/,
    /^xcodebuild: error: (?!The (?:workspace|project) named .* does not contain a scheme|Unable to find a destination|.* does not exist)/,
  ],
  problem: [/: error: /, /^error: /],
  pass: [
    /\*\* (?:TEST|BUILD|ANALYZE)(?: \w+)? SUCCEEDED \*\*/,
    /^\s*Executed [1-9]\d* tests?, with (?:\d+ tests? skipped and )?0 failures/,
    /^✔ Test run with [1-9]\d* tests?.* passed/,
    /^Build complete!/,
  ],
  nothing: [/^\s*Executed 0 tests/, /^xcodebuild: error: /, /^error: Could not find Package\.swift/],
};

const action = /^(?:test|build|analyze|build-for-testing|test-without-building)$/;

/** Swift packages and Xcode, `man xcodebuild`, SwiftLint. */
export const swiftTools: readonly Tool[] = [
  {
    id: "swift test",
    kind: "test",
    calls: ["swift test"],
    operands: "filters",
    flags: {
      filter: "--filter= --skip=",
      config: "-c=",
      folder: "--package-path=",
      noise: "--parallel",
      inert: "--list-tests",
    },
    lines,
  },
  {
    id: "swift build",
    kind: "build",
    calls: ["swift build"],
    operands: "filters",
    flags: { filter: "--target= --product=", config: "-c=", folder: "--package-path=" },
    lines,
  },
  {
    id: "xcodebuild",
    calls: [],
    match: {
      programs: ["xcodebuild"],
      find: (call) => {
        const name = call.program === "xcodebuild" ? call.args.find((arg) => action.test(arg)) : undefined;
        if (name === undefined) return undefined;
        const args = call.args.filter((arg) => arg !== name);
        return { name: `xcodebuild ${name}`, args, cwd: call.cwd, project: call.project };
      },
    },
    operands: "filters",
    flags: {
      filter: "-testPlan= -only-testing= -skip-testing=",
      config: "-destination= -configuration= -sdk=",
      project: "-project= -workspace= -scheme= -target=",
      noise: "-quiet -derivedDataPath= -resultBundlePath=",
      inert: "-list -showBuildSettings",
    },
    lines,
  },
  {
    id: "swiftlint",
    kind: "lint",
    calls: ["swiftlint lint", "swiftlint", "swiftformat"],
    eachCall: true,
    not: ["rules", "version", "autocorrect"],
    operands: "files",
    flags: { config: "--strict --config=", file: "--path=", noise: "--lint", inert: "--fix" },
    lines: {
      fail: [/^Done linting! Found \d+ violations?, [1-9]\d* serious/],
      pass: [/^Done linting! Found \d+ violations?, 0 serious/],
      problem: [/: error: /],
    },
  },
];

export const swiftCases: ToolCases = {
  docs: {
    "swift test": "https://docs.swift.org/swiftpm/documentation/packagemanagerdocs/swifttest",
    "swift build": "https://docs.swift.org/swiftpm/documentation/packagemanagerdocs/swiftbuild",
    xcodebuild: "https://developer.apple.com/documentation/xcode",
    swiftlint: "https://realm.github.io/SwiftLint/",
  },
  checks: {
    "swift test --filter A": "swift test --filter A",
    "swift build": "swift build",
    "xcodebuild test -scheme App -destination 'platform=macOS'": "xcodebuild test App",
    swiftlint: "swiftlint",
  },
  ignored: ["xcodebuild -list", "swift run", "swift package resolve"],
  different: [["xcodebuild test -scheme A", "xcodebuild build -scheme A"]],
  outputs: [
    { command: "xcodebuild test -scheme A | tail", text: "** TEST SUCCEEDED **", verdict: "pass" },
    {
      command: "xcodebuild test -scheme A | tail",
      text: 'xcodebuild: error: The workspace named "App" does not contain a scheme named "A".',
      verdict: "unknown",
    },
    {
      command: "xcodebuild test -scheme A | tail",
      text: "Executed 4 tests, with 1 failure (0 unexpected) in 0.1 (0.2) seconds\n** TEST FAILED **",
      verdict: "fail",
    },
    {
      command: "swift test | tail",
      text: "✔ Test run with 9 tests in 2 suites passed after 0.01 seconds.",
      verdict: "pass",
    },
    {
      command: "swift build | tail",
      text: "/repo/Sources/a.swift:3:1: error: cannot find 'x' in scope",
      verdict: "fail",
    },
    {
      command: "swiftlint | tail -1",
      text: "Done linting! Found 2 violations, 0 serious in 9 files.",
      verdict: "pass",
    },
  ],
};
