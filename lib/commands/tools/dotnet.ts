import type { Tool, ToolCases } from "./tool.ts";

/** The tools speak the language of the system; German is the one seen most besides English. */
const germanFailure = /^Fehler! +[-:] +Fehler: +[1-9]/;
const germanPass = /^Bestanden! +[-:] +Fehler: +0/;

/** There is no project in the folder, or not where the call says. */
const noProject = /\berror MSB10(?:03|09): /;

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
      noise: "--no-build --no-restore --nologo -nologo -l= --logger= -v= --verbosity=",
      inert: "-t --list-tests",
    },
    lines: {
      fail: [
        /^Failed! +- Failed: /,
        /^Test Run Failed\./,
        /^\s*Test summary: total: \d+, failed: [1-9]/,
        /\berror (?:CS|MSB(?!1003|1009)|NETSDK)\d+: /,
        /^\s+Failed \S+ \[/,
        germanFailure,
      ],
      pass: [
        /^Passed! +- Failed: +0/,
        /^Test Run Successful\./,
        /^\s*Test summary: total: \d+, failed: 0, succeeded: [1-9]/,
        germanPass,
      ],
      nothing: [/^No test (?:is available|matches the given)/, noProject],
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
      noise: "--no-restore --nologo -nologo -v= --verbosity= --verify-no-changes",
    },
    lines: {
      fail: [
        /^Build FAILED\./,
        /^\s*Build failed with /,
        /^\s+[1-9]\d* (?:Error\(s\)|Fehler)$/,
        /^Fehler beim Buildvorgang/,
        /\berror (?:CS|MSB(?!1003|1009)|NETSDK)\d+: /,
      ],
      pass: [/^\s*Build succeeded\b/, /^\s+0 (?:Error\(s\)|Fehler)$/, /^Der Buildvorgang wurde erfolgreich ausgeführt/],
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
  same: [["dotnet build", "dotnet build -nologo -v q"]],
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
    {
      command: "dotnet test | tail -2",
      text: "Test summary: total: 9, failed: 1, succeeded: 8, skipped: 0, duration: 1.2s\nBuild failed with 1 error(s) in 2.5s",
      verdict: "fail",
    },
    {
      command: "dotnet test | tail -2",
      text: "Test summary: total: 9, failed: 0, succeeded: 9, skipped: 0, duration: 1.2s\nBuild succeeded in 2.5s",
      verdict: "pass",
    },
    { command: "dotnet build | tail -2", text: "Build failed with 1 error(s) in 2.5s", verdict: "fail" },
    { command: "dotnet build | tail -2", text: "    0 Warnung(en)\n    0 Fehler", verdict: "pass" },
    { command: "dotnet build | tail -2", text: "    0 Warnung(en)\n    2 Fehler", verdict: "fail" },
    {
      command: "dotnet test",
      text: "MSBUILD : error MSB1003: Specify a project or solution file.",
      status: 1,
      verdict: "unknown",
    },
    { command: "dotnet build | tail", text: "Program.cs(3,1): error CS1002: ; expected", verdict: "fail" },
    { command: "dotnet build | tail", text: "Build succeeded.\n    0 Warning(s)\n    0 Error(s)", verdict: "pass" },
  ],
};
