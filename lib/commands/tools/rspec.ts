import type { Tool, ToolCases } from "./tool.ts";

/** RSpec, minitest through Rails and Rake. */
export const rspecTools: readonly Tool[] = [
  {
    id: "rspec",
    kind: "test",
    calls: ["rspec"],
    operands: "files",
    flags: {
      filter: "-e|--example= -t|--tag= --only-failures -P=",
      noise: `--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= --fail-fast --seed=
        --order=`,
      inert: "--dry-run",
    },
    lines: {
      fail: [/^\d+ examples?, [1-9]\d* failures?/, /\b[1-9]\d* errors? occurred outside of examples/],
      pass: [/^[1-9]\d* examples?, 0 failures/],
      nothing: [/^0 examples, 0 failures/],
    },
  },
  {
    id: "rails test",
    kind: "test",
    calls: ["rails test", "rails test:system", "rake test", "rake spec", "m"],
    eachCall: true,
    operands: "files",
    flags: {
      filter: "-n|--name=",
      config: "-e=",
      noise: "-f -s|--seed= -b",
    },
    lines: {
      fail: [/^\d+ (?:runs|tests), .*\b[1-9]\d* (?:failures|errors)/, /^rake aborted!/],
      pass: [/^[1-9]\d* (?:runs|tests), \d+ assertions, 0 failures, 0 errors/, /^[1-9]\d* examples?, 0 failures/],
      nothing: [/^0 (?:runs|tests), /, /^Don't know how to build task/],
    },
  },
];

export const rspecCases: ToolCases = {
  docs: {
    rspec: "https://rspec.info/features/3-13/rspec-core/command-line/",
    "rails test": "https://guides.rubyonrails.org/testing.html",
  },
  checks: {
    "bundle exec rspec spec/a_spec.rb:12": "rspec spec/a_spec.rb:12",
    "bin/rails test": "rails test",
    "rake spec": "rake spec",
  },
  ignored: ["bin/rails server", "rake db:migrate", "rspec --dry-run"],
  outputs: [
    { command: "rspec | tail", text: "12 examples, 0 failures, 1 pending", verdict: "pass" },
    { command: "rspec | tail", text: "12 examples, 2 failures", verdict: "fail" },
    { command: "rspec | tail", text: "0 examples, 0 failures", verdict: "unknown" },
    { command: "bin/rails test | tail", text: "9 runs, 20 assertions, 0 failures, 0 errors, 0 skips", verdict: "pass" },
    { command: "bin/rails test | tail", text: "9 runs, 20 assertions, 1 failures, 0 errors, 0 skips", verdict: "fail" },
  ],
};
