import type { Tool, ToolCases } from "./tool.ts";

/** py_compile and compileall. */
export const pyCompileTools: readonly Tool[] = [
  {
    id: "py_compile",
    kind: "build",
    calls: ["py_compile", "compileall"],
    operands: "files",
    flags: {
      filter: "-x=",
      noise: "-f -j=",
    },
    silent: true,
    lines: {
      fail: [/^(?:\s*)(?:SyntaxError|IndentationError|TabError): /, /^\*\*\* Error compiling /, /^Sorry: \w+Error: /],
      nothing: [/\[Errno 2\] No such file or directory/],
    },
  },
];

export const pyCompileCases: ToolCases = {
  docs: {
    py_compile: "https://docs.python.org/3/library/py_compile.html",
  },
  checks: {
    "python3 -m py_compile a.py b.py": "py_compile a.py b.py",
    "python -m compileall -q src": "py_compile src",
  },
  ignored: ["python3 a.py", "python3 -c 'import py_compile'"],
  outputs: [
    { command: "python -m py_compile a.py && echo fine", text: "fine", verdict: "pass" },
    {
      command: "python -m py_compile a.py | cat",
      text: '  File "a.py", line 3\n    def (\n        ^\nSyntaxError: invalid syntax',
      verdict: "fail",
    },
    { command: "python -m py_compile a.py", text: "", status: 0, verdict: "pass" },
  ],
};
