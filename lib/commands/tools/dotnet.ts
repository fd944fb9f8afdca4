import type { Tool } from "./tool.ts";

/** .NET: https://learn.microsoft.com/dotnet/core/tools/dotnet-test */
export const dotnetTools: readonly Tool[] = [
  {
    id: "dotnet test",
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
    calls: ["dotnet build", "dotnet format"],
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
