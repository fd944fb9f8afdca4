import type { Lines, Tool, ToolCases } from "./tool.ts";

const buildLines: Lines = {
  fail: [/^ninja: build stopped/],
  loose: [/^FAILED: /, /: (?:fatal )?error: /],
  pass: [/^\[100%\] Built target/, /^ninja: no work to do/, /^\[(\d+)\/\1\] /],
};

/** CMake, CTest, Ninja and Meson. */
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
    calls: ["cmake"],
    onlyWith: ["--build"],
    operands: "projects",
    flags: {
      config: "--config=",
      project: "--target|-t=",
      folder: "--build=",
      noise: "-j= --parallel=",
    },
    lines: buildLines,
  },
  {
    id: "ninja",
    kind: "build",
    calls: ["ninja", "meson compile", "samu"],
    not: ["clean", "install", "uninstall", "dist"],
    operands: "projects",
    flags: {
      folder: "-C=",
      file: "-f=",
      noise: "-j= --jobs= -k= -l= -d= -w=",
      inert: "-n -t= --clean",
    },
    lines: buildLines,
  },
  {
    id: "meson test",
    kind: "test",
    calls: ["meson test"],
    operands: "filters",
    flags: {
      filter: "--suite= --no-suite=",
      config: "--setup= --benchmark",
      folder: "-C=",
      noise: "--print-errorlogs --num-processes= -j= -t= --timeout-multiplier= --no-rebuild --repeat= --logbase=",
      inert: "--list",
    },
    lines: {
      fail: [/^\s*(?:Fail|Timeout): +[1-9]/, ...(buildLines.fail ?? [])],
      loose: buildLines.loose ?? [],
      pass: [/^\s*Fail: +0/],
      nothing: [/^No tests defined\./, /^No suitable tests defined\./, /^\s*Ok: +0$/],
    },
  },
];

export const cmakeCases: ToolCases = {
  docs: {
    ctest: "https://cmake.org/cmake/help/latest/manual/ctest.1.html",
    "cmake --build": "https://cmake.org/cmake/help/latest/manual/cmake.1.html",
    ninja: "https://ninja-build.org/manual.html",
    "meson test": "https://mesonbuild.com/Unit-tests.html",
  },
  checks: {
    "ctest --test-dir build": "ctest",
    "cmake --build build --target all": "cmake --build all",
    "ninja -C out": "ninja",
    "ninja test": "ninja test",
    "meson test -C build --suite unit": "meson test --suite unit",
  },
  ignored: ["cmake -S . -B build", "ctest -N", "ninja -t targets", "ninja -C out clean", "meson setup build"],
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
    { command: "meson test | tail", text: "Ok:                 12\nFail:               0", verdict: "pass" },
    { command: "meson test | tail", text: "Ok:                 11\nFail:               1", verdict: "fail" },
    { command: "meson test", text: "No tests defined.", status: 0, verdict: "unknown" },
    { command: "ninja | tail -1", text: "[14/14] Linking target app", verdict: "pass" },
    { command: "ninja | tail -1", text: "ninja: build stopped: subcommand failed.", verdict: "fail" },
  ],
};
