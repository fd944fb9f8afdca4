import type { Tool, ToolCases } from "./tool.ts";

/** Scanners of dependencies and of code for known weaknesses. */

export const securityTools: readonly Tool[] = [
  {
    id: "dependency audit",
    kind: "lint",
    calls: [
      "npm audit",
      "pnpm audit",
      "yarn audit",
      "yarn npm audit",
      "bun audit",
      "pip-audit",
      "bundler-audit",
      "bundle-audit",
    ],
    eachCall: true,
    not: ["fix", "signatures", "update"],
    operands: "filters",
    flags: {
      filter: "--omit= --production --prod --dev -r= --ignore-vuln= --ignore=",
      config: "--audit-level= --level= --severity=",
      folder: "--prefix= --dir=",
      noise: "--json --registry= --desc --format= -f=",
      inert: "--fix",
    },
    lines: {
      fail: [
        /^\d+ vulnerabilities \(/,
        /^[1-9]\d* (?:\w+ severity )?vulnerabilit(?:y|ies)(?: found)?\b/,
        /^Found [1-9]\d* known vulnerabilit/,
        /^Vulnerabilities found!$/,
      ],
      pass: [
        /^found 0 vulnerabilities$/,
        /^No known vulnerabilities found/,
        /^0 vulnerabilities found/,
        /^No vulnerabilities found/,
      ],
      nothing: [/^npm (?:ERR!|error) code ENOLOCK/],
    },
  },
  {
    id: "semgrep",
    kind: "lint",
    calls: ["semgrep scan", "semgrep ci", "semgrep", "opengrep scan"],
    not: ["login", "install-semgrep-pro", "show"],
    operands: "files",
    flags: {
      filter: "--include= --exclude= --severity=",
      config: "-c|--config|-f= --error --strict",
      noise: "--json --sarif -o= --output= --metrics= -j=",
      inert: "--autofix",
    },
    lines: {
      pass: [/^Ran \d+ rules? on [1-9]\d* files?: 0 findings\./],
      problem: [/^Ran \d+ rules? on \d+ files?: [1-9]\d* findings?\./],
    },
  },
  {
    id: "trivy",
    kind: "lint",
    calls: [
      "trivy fs",
      "trivy image",
      "trivy config",
      "trivy repo",
      "checkov",
      "grype",
      "gitleaks detect",
      "gitleaks dir",
      "gitleaks git",
    ],
    eachCall: true,
    operands: "files",
    flags: {
      filter: "--severity= --skip-dirs= -c= --check= --skip-check= --framework=",
      config: "--exit-code= --scanners= --ignore-unfixed --fail-on=",
      file: "-d= -f= -s= --source=",
      noise: "--format= -o= --output= --quiet --compact",
    },
    lines: {
      fail: [/^Passed checks: \d+, Failed checks: [1-9]/, /\bleaks found: [1-9]/],
      pass: [/^Passed checks: [1-9]\d*, Failed checks: 0\b/, /\bno leaks found$/],
      problem: [/^Total: [1-9]\d* \((?:UNKNOWN|LOW|MEDIUM|HIGH|CRITICAL): /],
    },
  },
];

export const securityCases: ToolCases = {
  docs: {
    "dependency audit": "https://docs.npmjs.com/cli/commands/npm-audit",
    semgrep: "https://semgrep.dev/docs/cli-reference",
    trivy: "https://trivy.dev/latest/docs/references/configuration/cli/trivy/",
  },
  checks: {
    "npm audit --omit=dev": "npm audit --omit dev",
    "pip-audit -r requirements.txt": "pip-audit -r requirements.txt",
    "semgrep scan --config auto src": "semgrep src",
    "trivy fs .": "trivy fs",
  },
  ignored: ["npm audit fix", "npm audit --fix", "trivy --version", "semgrep login"],
  different: [
    ["trivy fs .", "trivy config ."],
    ["npm audit", "npm audit --omit=dev"],
  ],
  outputs: [
    { command: "npm audit | tail", text: "found 0 vulnerabilities", verdict: "pass" },
    { command: "npm audit | tail", text: "3 vulnerabilities (1 moderate, 2 high)", verdict: "fail" },
    { command: "npm audit", text: "npm error code ENOLOCK", status: 1, verdict: "unknown" },
    { command: "pip-audit | tail -2", text: "No known vulnerabilities found", verdict: "pass" },
    { command: "semgrep scan | tail -1", text: "Ran 210 rules on 31 files: 0 findings.", verdict: "pass" },
    { command: "semgrep scan --error | tail -1", text: "Ran 210 rules on 31 files: 2 findings.", verdict: "fail" },
    { command: "checkov -d . | tail", text: "Passed checks: 12, Failed checks: 1, Skipped checks: 0", verdict: "fail" },
  ],
};
