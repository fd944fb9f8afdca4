import type { Tool, ToolCases } from "./tool.ts";

/**
 * CMake, CTest, Ninja and Meson: https://cmake.org/cmake/help/latest/manual/ctest.1.html,
 * https://ninja-build.org/manual.html, https://mesonbuild.com/Commands.html
 */
export const cmakeTools: readonly Tool[] = [
  {
    id: "ctest",
    kind: "test",
    calls: ["ctest"],
    operands: "filters",
    flags: {
      filter: "-R= -E= -L= -LE= --rerun-failed",
      config: "-C=",
      folder: "--test-dir=",
      noise: "-j= --parallel= --output-on-failure -V -VV --test-load= --timeout=",
      inert: "-N --show-only",
    },
    lines: {
      fail: [/^\s*\d+% tests passed, [1-9]\d* tests? failed/, /^The following tests FAILED:/],
      pass: [/^\s*100% tests passed/],
      nothing: [/^No tests were found/],
    },
  },
  {
    id: "cmake --build",
    kind: "build",
    calls: ["cmake", "ninja", "meson test", "meson compile"],
    onlyWith: ["--build", "-C"],
    operands: "projects",
    flags: {
      config: "--config=",
      project: "--target|-t=",
      folder: "--build= -C=",
      noise: "-j= --parallel=",
    },
    lines: {
      fail: [/^ninja: build stopped/, /^\s*(?:Fail|Timeout): +[1-9]/],
      loose: [/^FAILED: /, /: (?:fatal )?error: /],
      pass: [/^\[100%\] Built target/, /^ninja: no work to do/, /^\s*Fail: +0/, /^\[(\d+)\/\1\] /],
    },
  },
];

export const cmakeCases: ToolCases = {
  checks: {
    "ctest --test-dir build": "ctest",
    "cmake --build build --target all": "cmake --build all",
    "ninja -C out": "cmake --build",
  },
  ignored: ["cmake -S . -B build", "ctest -N", "ninja -t targets"],
  same: [["ctest --test-dir build", "cd build && ctest -j 8 --output-on-failure"]],
  different: [["ctest -R fast", "ctest -R slow"]],
  outputs: [
    { command: "ctest | tail", text: "100% tests passed, 0 tests failed out of 31", verdict: "pass" },
    {
      command: "ctest | tail",
      text: "97% tests passed, 1 tests failed out of 31\n\nThe following tests FAILED:",
      verdict: "fail",
    },
    { command: "ctest | tail", text: "No tests were found!!!", verdict: "unknown" },
    { command: "cmake --build build | tail", text: "[100%] Built target app", verdict: "pass" },
    {
      command: "cmake --build build | tail",
      text: "src/a.c:3:5: error: expected ';' before 'return'",
      verdict: "fail",
    },
  ],
};
