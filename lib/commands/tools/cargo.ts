import type { FlagTable } from "../flag-table.ts";
import type { Lines, Tool, ToolCases } from "./tool.ts";

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
  /^error: failed to (?:get|fetch|download) /,
];

const buildLines: Lines = {
  fail: [/^error\[E\d+\]: /, /^error: could not compile /, /^error: aborting due to /],
  loose: errors,
  pass: [/^\s*Finished /],
  nothing,
};

const formatLines: Lines = { fail: [/^Diff in \S+/], loose: errors, nothing };

/** cargo, nextest. */
export const cargoTools: readonly Tool[] = [
  {
    id: "cargo test",
    kind: "test",
    calls: ["cargo test", "cargo t", "cargo llvm-cov", "cargo miri test"],
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
        /^(?:\s*\d+ )?test result: FAILED\./,
        /^test .* \.\.\. FAILED$/,
        /^error\[E\d+\]: /,
        /^error: (?:could not compile |test failed, to rerun|doctest failed|\d+ targets? failed)/,
      ],
      problem: errors,
      pass: [/^(?:\s*\d+ )?test result: ok\. [1-9]\d* passed/],
      nothing: [/^test result: ok\. 0 passed/, ...nothing],
    },
  },
  {
    id: "cargo nextest",
    kind: "test",
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
      problem: errors,
      pass: [/^\s*Summary .*\b[1-9]\d* passed/],
      nothing: [/^error: no tests to run/, ...nothing],
    },
  },
  {
    id: "cargo check",
    kind: "types",
    calls: ["cargo check", "cargo c"],
    operands: "noise",
    sharedFlags,
    flags: {},
    lines: buildLines,
  },
  {
    id: "cargo clippy",
    kind: "lint",
    calls: ["cargo clippy"],
    operands: "noise",
    rest: "flags",
    sharedFlags,
    flags: { config: "-D= -W= -A= -F= --no-deps --fix", noise: "--allow-dirty --allow-staged" },
    lines: buildLines,
  },
  {
    id: "cargo build",
    kind: "build",
    calls: ["cargo build", "cargo b"],
    operands: "noise",
    sharedFlags,
    flags: {},
    lines: buildLines,
  },
  {
    id: "cargo doc",
    kind: "build",
    calls: ["cargo doc"],
    operands: "noise",
    sharedFlags,
    flags: { config: "--no-deps", inert: "--open" },
    lines: buildLines,
  },
  {
    id: "cargo fmt --check",
    kind: "format",
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
    kind: "format",
    calls: ["rustfmt"],
    onlyWith: ["--check"],
    operands: "files",
    flags: { config: "--edition=", noise: "--check" },
    silent: true,
    lines: formatLines,
  },
  {
    id: "cargo deny",
    kind: "lint",
    calls: ["cargo deny check", "cargo audit", "cargo machete", "cargo udeps", "cargo semver-checks"],
    eachCall: true,
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

export const cargoCases: ToolCases = {
  docs: {
    "cargo test": "https://doc.rust-lang.org/cargo/commands/cargo-test.html",
    "cargo nextest": "https://nexte.st/docs/running/",
    "cargo check": "https://doc.rust-lang.org/cargo/commands/cargo-check.html",
    "cargo clippy": "https://doc.rust-lang.org/clippy/usage.html",
    "cargo build": "https://doc.rust-lang.org/cargo/commands/cargo-build.html",
    "cargo doc": "https://doc.rust-lang.org/cargo/commands/cargo-doc.html",
    "cargo fmt --check": "https://github.com/rust-lang/rustfmt#quick-start",
    "rustfmt --check": "https://github.com/rust-lang/rustfmt#quick-start",
    "cargo deny": "https://embarkstudios.github.io/cargo-deny/cli/check.html",
  },
  checks: {
    "cargo test": "cargo test",
    "cargo +nightly test -p core parses_empty": "cargo test core parses_empty",
    "cargo nextest run --workspace": "cargo nextest --workspace",
    "cargo clippy --all-targets -- -D warnings": "cargo clippy",
    "cargo check": "cargo check",
    "cargo build --release": "cargo build",
    "cargo fmt --all -- --check": "cargo fmt --check --workspace",
    "cargo deny check advisories": "cargo deny check advisories",
  },
  ignored: ["cargo fmt", "cargo run", "cargo test -- --list", "cargo add serde", "cargo --version", "cargo publish"],
  same: [
    ["cargo test", "cargo test -- --nocapture"],
    ["cargo test --workspace", "cargo test --all -q -j 4"],
    ["cd crates/core && cargo test", "cargo test --manifest-path crates/core/Cargo.toml"],
  ],
  different: [
    ["cargo test", "cargo test --no-run"],
    ["cargo test -p core", "cargo test -p cli"],
    ["cargo test parses", "cargo test prints"],
    ["cargo clippy", "cargo clippy -- -D warnings"],
    ["cargo check", "cargo check --all-features"],
  ],
  outputs: [
    {
      command: "cargo nextest run | tail",
      text: "     Summary [   0.021s] 9 tests run: 9 passed, 0 skipped",
      verdict: "pass",
    },
    {
      command: "cargo nextest run | tail",
      text: "     Summary [   0.021s] 9 tests run: 8 passed, 1 failed, 0 skipped",
      verdict: "fail",
    },
    {
      command: "cargo build | tail -1",
      text: "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.41s",
      verdict: "pass",
    },
    {
      command: "cargo doc | tail",
      text: "error: could not document `app`\nerror: aborting due to 1 previous error",
      verdict: "fail",
    },
    { command: "rustfmt --check src/a.rs | head -1", text: "Diff in /repo/src/a.rs:3:", verdict: "fail" },
    { command: "cargo deny check | tail -1", text: "advisories ok, bans ok, licenses ok, sources ok", verdict: "pass" },
    {
      command: "cargo deny check | tail -1",
      text: "advisories FAILED, bans ok, licenses ok, sources ok",
      verdict: "fail",
    },
    {
      command: "cargo test | tail",
      text: "test result: ok. 14 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.20s",
      verdict: "pass",
    },
    {
      command: "cargo test | tail",
      text: "test result: ok. 71 passed; 0 failed; 0 ignored\n\ntest result: FAILED. 58 passed; 6 failed; 0 ignored",
      verdict: "fail",
    },
    {
      command: "cargo test 2>&1 | grep 'test result' | sort | uniq -c",
      text: "      2 test result: ok. 3 passed; 0 failed; 0 ignored\n      1 test result: FAILED. 2 passed; 1 failed; 0 ignored",
      verdict: "fail",
    },
    {
      command: "cargo test | tail",
      text: "error: printed by the program under test\ntest bad_flag ... ok\n\ntest result: ok. 3 passed; 0 failed",
      verdict: "pass",
    },
    { command: "cargo test | tail -1", text: "error: doctest failed, to rerun pass `--doc`", verdict: "fail" },
    {
      command: "cargo test | tail -1",
      text: "error: failed to run custom build command for `openssl-sys v0.9.1`",
      verdict: "fail",
    },
    {
      command: "cargo test nosuch | tail",
      text: "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 14 filtered out",
      verdict: "unknown",
    },
    { command: "cargo test", text: "error[E0425]: cannot find value `x` in this scope", status: 101, verdict: "fail" },
    {
      command: "cargo check | tail",
      text: "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 7.06s",
      verdict: "pass",
    },
    {
      command: "cargo clippy | tail -5",
      text: "error: could not compile `core` (lib) due to 2 previous errors",
      verdict: "fail",
    },
    {
      command: "cargo build",
      text: "error: could not find `Cargo.toml` in `/repo` or any parent directory",
      status: 101,
      verdict: "unknown",
    },
    { command: "cargo fmt --check | head", text: "Diff in /repo/src/lib.rs:4:\n-  a\n+ a", verdict: "fail" },
    {
      command: "cargo test",
      text: "error: unexpected argument 'b' found\n\nUsage: cargo test [OPTIONS]",
      status: 1,
      verdict: "unknown",
    },
  ],
};
