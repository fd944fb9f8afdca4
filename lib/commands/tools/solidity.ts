import type { Tool, ToolCases } from "./tool.ts";

/** Solidity: Foundry, Hardhat, Solhint, Slither; Anchor of Solana. */

export const solidityTools: readonly Tool[] = [
  {
    id: "forge",
    calls: [
      "forge test",
      "forge build",
      "forge coverage",
      "hardhat test",
      "hardhat compile",
      "truffle test",
      "anchor test",
    ],
    eachCall: true,
    operands: "files",
    flags: {
      filter: "--match-test|--mt= --match-contract|--mc= --match-path|--mp= --no-match-test= --grep=",
      config: "--fork-url= --network= --fuzz-runs= --profile=",
      folder: "--root=",
      noise: "-vv -vvv -vvvv -vvvvv --gas-report --summary",
      inert: "--watch -w --list",
    },
    lines: {
      fail: [
        /^Encountered a total of [1-9]\d* failing tests?/,
        /^\[FAIL[.:\]]/,
        /^Suite result: FAILED\./,
        /^Error HH\d+: /,
        /^Error: Compiler run failed/,
      ],
      pass: [
        /^Ran \d+ test suites? .* [1-9]\d* tests passed, 0 failed/,
        /^Suite result: ok\. [1-9]\d* passed; 0 failed/,
        /^Compiler run successful/,
      ],
      nothing: [/^No tests found in project!/, /^No tests match the provided pattern/],
    },
  },
  {
    id: "solhint",
    kind: "lint",
    calls: ["solhint", "slither"],
    eachCall: true,
    operands: "files",
    flags: {
      config: "-c|--config= --detect= --exclude= --filter-paths= --max-warnings=",
      noise: "-f|--formatter= --json=",
      inert: "--fix --init",
    },
    lines: {
      fail: [/^✖ \d+ problems? \([1-9]\d* errors?/],
      pass: [/^✖ \d+ problems? \(0 errors/, / analyzed \([^()]*\), 0 result\(s\) found$/],
      problem: [/ analyzed \([^()]*\), [1-9]\d* result\(s\) found$/],
    },
  },
];

export const solidityCases: ToolCases = {
  docs: { forge: "https://getfoundry.sh/forge/overview", solhint: "https://protofire.github.io/solhint/" },
  checks: {
    "forge test --mt testA -vvv": "forge test --match-test testA",
    "npx hardhat test test/a.ts": "hardhat test test/a.ts",
  },
  ignored: ["forge install", "forge script a.s.sol", "npx hardhat node", "forge test --list"],
  different: [
    ["forge test --mt a", "forge test --mt b"],
    ["forge test", "forge build"],
  ],
  outputs: [
    {
      command: "forge test | tail",
      text: "Ran 2 test suites in 1.01s (1.9s CPU time): 9 tests passed, 0 failed, 0 skipped (9 total tests)",
      verdict: "pass",
    },
    {
      command: "forge test | tail",
      text: "Encountered a total of 1 failing tests, 8 tests succeeded",
      verdict: "fail",
    },
    { command: "forge test --mt x | tail", text: "No tests match the provided pattern:", verdict: "unknown" },
    {
      command: "slither . | tail -1",
      text: ". analyzed (3 contracts with 99 detectors), 0 result(s) found",
      verdict: "pass",
    },
  ],
};
