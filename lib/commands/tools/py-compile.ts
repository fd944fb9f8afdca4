import type { Tool } from "./tool.ts";

/**
 * py_compile and compileall: https://docs.python.org/3/library/py_compile.html,
 * https://docs.python.org/3/library/compileall.html
 */
export const pyCompileTools: readonly Tool[] = [
  {
    id: "py_compile",
    calls: ["py_compile", "compileall"],
    operands: "files",
    flags: {
      filter: "-x=",
      noise: "-f -j=",
    },
    silent: true,
    lines: {
      fail: [/^(?:\s*)(?:SyntaxError|IndentationError|TabError): /, /^\*\*\* Error compiling /, /^Sorry: \w+Error: /],
      pass: [],
      nothing: [/\[Errno 2\] No such file or directory/],
    },
  },
];
