import type { FlagTable } from "../flag-table.ts";
import type { Lines, Tool } from "./tool.ts";

const sharedFlags: FlagTable = {
  filter: "--exclude=",
  config: `--lib --bins --bin= --tests --test= --examples --example= --benches --all-targets --doc -F|--features=
    --all-features --no-default-features --target= --profile= -r|--release`,
  project: "-p|--package= --workspace|--all",
  manifest: "--manifest-path=",
  noise: `-j|--jobs= --keep-going --no-fail-fast --locked --offline --frozen --message-format= --target-dir= --color=
    --future-incompat-report --timings`,
};

const errors: readonly RegExp[] = [
  /^error: (?!could not find `Cargo|no such|no test target|package ID|manifest path|unexpected argument|unrecognized|toolchain )/,
];

const nothing: readonly RegExp[] = [
  /^error: could not find `Cargo\.toml` in /,
  /^error: no such command: /,
  /^error: package ID specification .* did not match/,
  /^error: manifest path .* does not exist/,
  /^error: no test target named /,
];

const buildLines: Lines = {
  fail: [/^error\[E\d+\]: /, /^error: could not compile /, /^error: aborting due to /],
  loose: errors,
  pass: [/^\s*Finished /],
  nothing,
};

const formatLines: Lines = { fail: [/^Diff in \S+/], loose: errors, pass: [], nothing };

/** cargo: https://doc.rust-lang.org/cargo/commands/; nextest: https://nexte.st/docs/running/ */
export const cargoTools: readonly Tool[] = [
  {
    id: "cargo test",
    calls: ["cargo test", "cargo t"],
    operands: "filters",
    rest: "flags",
    sharedFlags,
    flags: {
      filter: "--ignored --include-ignored --skip=",
      config: "--exact --no-run",
      noise: "--nocapture|--no-capture --show-output --test-threads= --format= -Z=",
      inert: "--list",
    },
    lines: {
      fail: [
        /^test result: FAILED\./,
        /^test .* \.\.\. FAILED$/,
        /^error\[E\d+\]: /,
        /^error: (?:could not compile |test failed, to rerun)/,
      ],
      loose: errors,
      pass: [/^test result: ok\. [1-9]\d* passed/],
      nothing: [/^test result: ok\. 0 passed/, ...nothing],
    },
  },
  {
    id: "cargo nextest",
    calls: ["cargo nextest run", "cargo nextest r"],
    operands: "filters",
    sharedFlags,
    flags: {
      filter: "-E|--filterset= --run-ignored=",
      config: "-P|--profile=",
      noise: "--nocapture|--no-capture --retries=",
    },
    lines: {
      fail: [
        /^\s*Summary .*\b[1-9]\d* (?:failed|timed out)/,
        /^error: (?:test run failed|could not compile )/,
        /^error\[E\d+\]: /,
      ],
      loose: errors,
      pass: [/^\s*Summary .*\b[1-9]\d* passed/],
      nothing: [/^error: no tests to run/, ...nothing],
    },
  },
  {
    id: "cargo check",
    calls: ["cargo check", "cargo c"],
    operands: "noise",
    sharedFlags,
    flags: {},
    lines: buildLines,
  },
  {
    id: "cargo clippy",
    calls: ["cargo clippy"],
    operands: "noise",
    rest: "flags",
    sharedFlags,
    flags: { config: "-D= -W= -A= -F= --no-deps --fix", noise: "--allow-dirty --allow-staged" },
    lines: buildLines,
  },
  {
    id: "cargo build",
    calls: ["cargo build", "cargo b"],
    operands: "noise",
    sharedFlags,
    flags: {},
    lines: buildLines,
  },
  {
    id: "cargo doc",
    calls: ["cargo doc", "cargo bench"],
    operands: "noise",
    sharedFlags,
    flags: { config: "--no-deps", inert: "--open" },
    lines: buildLines,
  },
  {
    id: "cargo fmt --check",
    calls: ["cargo fmt"],
    onlyWith: ["--check"],
    operands: "files",
    rest: "flags",
    sharedFlags,
    flags: { noise: "--check" },
    silent: true,
    lines: formatLines,
  },
  {
    id: "rustfmt --check",
    calls: ["rustfmt"],
    onlyWith: ["--check"],
    operands: "files",
    flags: { config: "--edition=", noise: "--check" },
    silent: true,
    lines: formatLines,
  },
  {
    id: "cargo deny",
    calls: ["cargo deny check", "cargo audit", "cargo machete", "cargo udeps", "cargo semver-checks"],
    operands: "filters",
    sharedFlags,
    flags: { config: "--config= -A= -D=" },
    lines: {
      fail: [/^error\[[\w-]+\]: /, /\b(?:advisories|bans|licenses|sources) FAILED\b/],
      loose: errors,
      pass: [/^(?:(?:advisories|bans|licenses|sources) ok(?:, )?)+$/],
      nothing,
    },
  },
];
