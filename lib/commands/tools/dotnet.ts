import type { Tool, ToolCases } from "./tool.ts";

/** .NET. */
export const dotnetTools: readonly Tool[] = [
  {
    id: "dotnet test",
    kind: "test",
    calls: ["dotnet test"],
    operands: "files",
    flags: {
      filter: "--filter=",
      config: "-c|--configuration= -f|--framework=",
      noise: "--no-build --no-restore --nologo -l= --logger= -v= --verbosity=",
      inert: "-t --list-tests",
    },
    lines: {
      fail: [/^Failed! +- Failed: /, /^Test Run Failed\./, /\berror (?:CS|MSB|NETSDK)\d+: /, /^\s+Failed \S+ \[/],
      pass: [/^Passed! +- Failed: +0/, /^Test Run Successful\./],
      nothing: [/^No test (?:is available|matches the given)/],
    },
  },
  {
    id: "dotnet build",
    kind: "build",
    calls: ["dotnet build", "dotnet format"],
    eachCall: true,
    operands: "files",
    flags: {
      config: "-c|--configuration=",
      noise: "--no-restore --nologo -v= --verbosity= --verify-no-changes",
    },
    lines: {
      fail: [/^Build FAILED\./, /\berror (?:CS|MSB|NETSDK)\d+: /],
      pass: [/^Build succeeded\./, /^\s+0 Error\(s\)/],
    },
  },
];

export const dotnetCases: ToolCases = {
  docs: {
    "dotnet test": "https://learn.microsoft.com/dotnet/core/tools/dotnet-test",
    "dotnet build": "https://learn.microsoft.com/dotnet/core/tools/dotnet-build",
  },
  checks: { "dotnet test": "dotnet test", "dotnet build App.sln": "dotnet build App.sln" },
  ignored: ["dotnet run", "dotnet restore", "dotnet test --list-tests"],
  different: [["dotnet test --filter A", "dotnet test --filter B"]],
  outputs: [
    {
      command: "dotnet test | tail",
      text: "Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12",
      verdict: "pass",
    },
    {
      command: "dotnet test | tail",
      text: "Failed!  - Failed:     1, Passed:    11, Skipped:     0, Total:    12",
      verdict: "fail",
    },
    { command: "dotnet build | tail", text: "Program.cs(3,1): error CS1002: ; expected", verdict: "fail" },
    { command: "dotnet build | tail", text: "Build succeeded.\n    0 Warning(s)\n    0 Error(s)", verdict: "pass" },
  ],
};
