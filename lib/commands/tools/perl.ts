import type { Tool, ToolCases } from "./tool.ts";

/** Perl's test runner and the syntax checks of Perl and Ruby. */
export const perlTools: readonly Tool[] = [
  {
    id: "prove",
    kind: "test",
    calls: ["prove", "yath test"],
    operands: "files",
    flags: { config: "-I=", noise: "-l -b -r -j|--jobs= -f --timer --merge", inert: "-D" },
    lines: {
      fail: [/^Result: FAIL$/, /^Failed [1-9]\d*\/\d+ (?:test programs|subtests)/],
      pass: [/^Result: PASS$/, /^All tests successful\./],
      nothing: [/^Result: NOTESTS$/],
    },
  },
  {
    id: "perl -c",
    kind: "lint",
    calls: ["perl", "ruby"],
    onlyWith: ["-c"],
    operands: "files",
    flags: { config: "-I=", noise: "-c -w -W" },
    lines: { fail: [/ had compilation errors\.$/], loose: [/: syntax error/], pass: [/\b[Ss]yntax OK$/] },
  },
];

export const perlCases: ToolCases = {
  docs: {
    prove: "https://perldoc.perl.org/prove",
    "perl -c": "https://perldoc.perl.org/perlrun",
  },
  checks: { "prove -lr t": "prove t", "perl -c a.pl": "perl -c a.pl", "ruby -c a.rb": "perl -c a.rb" },
  ignored: ["perl a.pl", "perl -pe 's/a/b/' x", "ruby -e 'puts 1'"],
  outputs: [
    { command: "prove t | tail -1", text: "Result: PASS", verdict: "pass" },
    { command: "prove t | tail -1", text: "Result: FAIL", verdict: "fail" },
    { command: "perl -c a.pl | cat", text: "a.pl syntax OK", verdict: "pass" },
    {
      command: "perl -c a.pl | cat",
      text: "syntax error at a.pl line 3\na.pl had compilation errors.",
      verdict: "fail",
    },
  ],
};
