import type { Tool, ToolCases } from "./tool.ts";

/** Checks of C and C++ that need no build: linters, the formatter, the compilers told to look only. */

export const cppLintTools: readonly Tool[] = [
  {
    id: "cppcheck",
    kind: "lint",
    calls: ["cppcheck"],
    operands: "files",
    flags: {
      filter: "--suppress= -i= --enable=",
      config: "--std= --error-exitcode= -D= -I= --platform= --library= --check-level=",
      file: "--project=",
      noise: "-j= --template= --xml -q --inline-suppr --output-file=",
    },
    lines: { loose: [/^\S+:\d+:\d+: error: /] },
  },
  {
    id: "clang-tidy",
    kind: "lint",
    calls: ["clang-tidy", "run-clang-tidy"],
    operands: "files",
    flags: {
      config: "--checks= -checks= --warnings-as-errors= -p= --config-file=",
      noise: "-j= --use-color",
      inert: "--fix -fix --list-checks",
    },
    lines: { fail: [/^Error while processing /], loose: [/^\S+:\d+:\d+: error: /] },
  },
  {
    id: "clang-format --dry-run",
    kind: "format",
    calls: ["clang-format"],
    onlyWith: ["--dry-run", "-n"],
    operands: "files",
    flags: { config: "--style= -style=", noise: "--dry-run|-n -Werror --Werror", inert: "-i" },
    silent: true,
    lines: { loose: [/: (?:error|warning): code should be clang-formatted /] },
  },
  {
    id: "cc -fsyntax-only",
    kind: "build",
    calls: ["gcc", "g++", "cc", "c++", "clang", "clang++"],
    onlyWith: ["-fsyntax-only"],
    operands: "files",
    flags: { config: "-std= -I= -D= -x=", noise: "-fsyntax-only" },
    silent: true,
    lines: { loose: [/^\S+:\d+(?::\d+)?: (?:fatal )?error: /] },
  },
];

export const cppLintCases: ToolCases = {
  docs: {
    cppcheck: "https://cppcheck.sourceforge.io/manual.html",
    "clang-tidy": "https://clang.llvm.org/extra/clang-tidy/",
    "clang-format --dry-run": "https://clang.llvm.org/docs/ClangFormat.html",
    "cc -fsyntax-only": "https://gcc.gnu.org/onlinedocs/gcc/Warning-Options.html",
  },
  checks: {
    "cppcheck --enable=all src": "cppcheck src --enable all",
    "clang-tidy -p build src/a.cpp": "clang-tidy src/a.cpp",
    "clang-format --dry-run -Werror src/a.c": "clang-format --dry-run src/a.c",
    "gcc -fsyntax-only -Wall src/a.c": "cc -fsyntax-only src/a.c",
  },
  ignored: ["clang-format -i src/a.c", "clang-tidy --list-checks", "gcc --version", "gcc -o a a.c"],
  different: [["clang-tidy a.cpp", "clang-tidy b.cpp"]],
  outputs: [
    {
      command: "clang-tidy a.cpp | tail -2",
      text: "/repo/a.cpp:3:5: error: use of undeclared identifier 'x'",
      verdict: "fail",
    },
    {
      command: "clang-format -n a.c | cat",
      text: "a.c:1:4: warning: code should be clang-formatted [-Wclang-format-violations]",
      verdict: "fail",
    },
    { command: "clang-format --dry-run -Werror a.c", text: "", status: 0, verdict: "pass" },
    { command: "gcc -fsyntax-only a.c | cat", text: "a.c:2:3: error: expected ';' before 'return'", verdict: "fail" },
    { command: "cppcheck src", text: "Checking src/a.c ...", status: 0, verdict: "pass" },
    {
      command: "cppcheck src | tail -1",
      text: "src/a.c:4:9: error: Null pointer dereference [nullPointer]",
      verdict: "fail",
    },
  ],
};
