import type { FlagTable } from "../flags.ts";
import type { Lines, Tool } from "./tool.ts";

/** Flags shared by cargo's build commands. */
const buildFlags: FlagTable = {
  "-p": "project=",
  "--package": "-p",
  "--exclude": "filter=",
  "--workspace": "project",
  "--all": "--workspace",
  "--manifest-path": "manifest=",
  "--lib": "config",
  "--bins": "config",
  "--bin": "config=",
  "--tests": "config",
  "--test": "config=",
  "--examples": "config",
  "--example": "config=",
  "--benches": "config",
  "--all-targets": "config",
  "--doc": "config",
  "-F": "config=",
  "--features": "-F",
  "--all-features": "config",
  "--no-default-features": "config",
  "--target": "config=",
  "--profile": "config=",
  "-r": "config",
  "--release": "-r",
  "-j": "noise=",
  "--jobs": "noise=",
  "--keep-going": "noise",
  "--no-fail-fast": "noise",
  "--locked": "noise",
  "--offline": "noise",
  "--frozen": "noise",
  "--message-format": "noise=",
  "--target-dir": "noise=",
  "--color": "noise=",
  "--future-incompat-report": "noise",
  "--timings": "noise",
};

const nothing: readonly RegExp[] = [
  /^error: could not find `Cargo\.toml` in /,
  /^error: no such command: /,
  /^error: package ID specification .* did not match/,
  /^error: manifest path .* does not exist/,
  /^error: no test target named /,
];

const errors: readonly RegExp[] = [
  /^error: (?!could not find `Cargo|no such|no test target|package ID|manifest path|unexpected argument|unrecognized|toolchain )/,
];

const buildLines: Lines = {
  fail: [/^error\[E\d+\]: /, /^error: could not compile /, /^error: aborting due to /],
  loose: errors,
  pass: [/^\s*Finished /],
  nothing,
};

/** cargo: https://doc.rust-lang.org/cargo/commands/; nextest: https://nexte.st/docs/running/ */
export const cargoTools: readonly Tool[] = [
  {
    id: "cargo test",
    calls: ["cargo test", "cargo t"],
    args: {
      operands: "filters",
      rest: "flags",
      flags: {
        ...buildFlags,
        "--nocapture": "noise",
        "--no-capture": "noise",
        "--show-output": "noise",
        "--test-threads": "noise=",
        "--exact": "config",
        "--ignored": "filter",
        "--include-ignored": "filter",
        "--skip": "filter=",
        "--no-run": "config",
        "--format": "noise=",
        "-Z": "noise=",
        "--list": "inert",
      },
    },
    lines: {
      fail: [
        /^test result: FAILED\./,
        /^error\[E\d+\]: /,
        /^error: (?:could not compile |test failed, to rerun)/,
        /^test .* \.\.\. FAILED$/,
      ],
      loose: errors,
      pass: [/^test result: ok\. [1-9]\d* passed/],
      nothing: [/^test result: ok\. 0 passed/, ...nothing],
    },
  },
  {
    id: "cargo nextest",
    calls: ["cargo nextest run", "cargo nextest r"],
    args: {
      operands: "filters",
      flags: {
        ...buildFlags,
        "-E": "filter=",
        "--filterset": "-E",
        "--nocapture": "noise",
        "--no-capture": "noise",
        "--retries": "noise=",
        "--run-ignored": "filter=",
        "-P": "config=",
        "--profile": "-P",
      },
    },
    lines: {
      fail: [/^\s*Summary .*\b[1-9]\d* (?:failed|timed out)/, /^error: test run failed/, /^error\[E\d+\]: /],
      loose: errors,
      pass: [/^\s*Summary .*\b[1-9]\d* passed/],
      nothing: [/^error: no tests to run/, ...nothing],
    },
  },
  {
    id: "cargo check",
    calls: ["cargo check", "cargo c"],
    args: { operands: "noise", flags: buildFlags },
    lines: buildLines,
  },
  {
    id: "cargo clippy",
    calls: ["cargo clippy"],
    args: {
      operands: "noise",
      rest: "flags",
      flags: {
        ...buildFlags,
        "-D": "config=",
        "-W": "config=",
        "-A": "config=",
        "-F": "config=",
        "--no-deps": "config",
        "--fix": "config",
        "--allow-dirty": "noise",
      },
    },
    lines: buildLines,
  },
  {
    id: "cargo build",
    calls: ["cargo build", "cargo b"],
    args: { operands: "noise", flags: buildFlags },
    lines: buildLines,
  },
  {
    id: "cargo fmt --check",
    calls: ["cargo fmt"],
    onlyWith: ["--check"],
    args: { operands: "files", rest: "flags", flags: { ...buildFlags, "--check": "noise" } },
    silent: true,
    lines: { fail: [/^Diff in \S+/], loose: errors, pass: [], nothing },
  },
  {
    id: "rustfmt --check",
    calls: ["rustfmt"],
    onlyWith: ["--check"],
    args: { operands: "files", flags: { "--check": "noise", "--edition": "config=" } },
    silent: true,
    lines: { fail: [/^Diff in \S+/], loose: errors, pass: [] },
  },
  {
    id: "cargo doc",
    calls: ["cargo doc", "cargo bench"],
    args: { operands: "noise", flags: { ...buildFlags, "--no-deps": "config", "--open": "inert" } },
    lines: buildLines,
  },
  {
    id: "cargo deny",
    calls: ["cargo deny check", "cargo audit", "cargo machete", "cargo udeps", "cargo semver-checks"],
    args: { operands: "filters", flags: { ...buildFlags, "--config": "config=", "-A": "config=", "-D": "config=" } },
    lines: {
      fail: [/^error\[[\w-]+\]: /, /\b(?:advisories|bans|licenses|sources) FAILED\b/],
      loose: errors,
      pass: [/^(?:(?:advisories|bans|licenses|sources) ok(?:, )?)+$/, /^\s*Scanning Cargo\.lock for vulnerabilities/],
    },
  },
];
