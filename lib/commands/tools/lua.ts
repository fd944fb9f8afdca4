import type { Tool, ToolCases } from "./tool.ts";

/** Lua: busted and luacheck. */

export const luaTools: readonly Tool[] = [
  {
    id: "busted",
    kind: "test",
    calls: ["busted"],
    operands: "files",
    flags: { filter: "-t|--tags= --filter= --exclude-tags=", config: "-c", noise: "-o|--output=", inert: "-l|--list" },
    lines: {
      fail: [/^\d+ success\w* \/ (?:[1-9]\d* failures?|\d+ failures? \/ [1-9]\d* errors?)/],
      pass: [/^[1-9]\d* success\w* \/ 0 failures \/ 0 errors/],
      nothing: [/^0 success\w* \/ 0 failures \/ 0 errors/],
    },
  },
  {
    id: "luacheck",
    kind: "lint",
    calls: ["luacheck", "selene"],
    eachCall: true,
    operands: "files",
    flags: { config: "--config= --std= --globals=", noise: "--no-color --codes --formatter=" },
    lines: {
      fail: [/^Total: (?:[1-9]\d* warnings?|\d+ warnings? \/ [1-9]\d* errors?)/, /^Results:\s*$/],
      pass: [/^Total: 0 warnings \/ 0 errors in [1-9]/],
    },
  },
];

export const luaCases: ToolCases = {
  docs: {
    busted: "https://lunarmodules.github.io/busted/",
    luacheck: "https://luacheck.readthedocs.io/en/stable/cli.html",
  },
  checks: { "busted spec": "busted spec", "luacheck .": "luacheck" },
  ignored: ["lua main.lua", "busted --list"],
  outputs: [
    {
      command: "busted | tail -1",
      text: "9 successes / 0 failures / 0 errors / 0 pending : 0.01 seconds",
      verdict: "pass",
    },
    {
      command: "busted | tail -1",
      text: "8 successes / 1 failure / 0 errors / 0 pending : 0.01 seconds",
      verdict: "fail",
    },
    {
      command: "busted | tail -1",
      text: "0 successes / 0 failures / 0 errors / 0 pending : 0.01 seconds",
      verdict: "unknown",
    },
    { command: "luacheck . | tail -1", text: "Total: 0 warnings / 0 errors in 9 files", verdict: "pass" },
    { command: "luacheck . | tail -1", text: "Total: 2 warnings / 0 errors in 9 files", verdict: "fail" },
  ],
};
