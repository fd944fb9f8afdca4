import type { Tool, ToolCases } from "./tool.ts";

/**
 * Terraform and OpenTofu: https://developer.hashicorp.com/terraform/cli/commands/validate; TFLint:
 * https://github.com/terraform-linters/tflint
 */
export const terraformTools: readonly Tool[] = [
  {
    id: "terraform validate",
    kind: "lint",
    calls: ["terraform validate", "tofu validate", "tflint"],
    operands: "files",
    flags: {
      folder: "-chdir= --chdir=",
      noise: "-json -no-color",
    },
    lines: {
      fail: [/^[1-9]\d* issue\(s\) found/],
      loose: [/^(?:│ )?Error: /],
      pass: [/^Success! The configuration is valid/],
    },
  },
  {
    id: "terraform fmt -check",
    kind: "format",
    calls: ["terraform fmt", "tofu fmt"],
    onlyWith: ["-check"],
    operands: "files",
    flags: {
      config: "-recursive",
      folder: "-chdir=",
      noise: "-check -diff",
    },
    silent: true,
    lines: {
      loose: [/^\S+\.tf(?:vars)?$/],
    },
  },
];

export const terraformCases: ToolCases = {
  checks: {
    "terraform -chdir=infra validate": "terraform validate",
    "terraform fmt -check -recursive": "terraform fmt -check",
  },
  ignored: ["terraform plan", "terraform fmt"],
  outputs: [
    { command: "terraform validate | tail", text: "Success! The configuration is valid.", verdict: "pass" },
    { command: "terraform validate | tail", text: "│ Error: Unsupported argument", verdict: "fail" },
    { command: "terraform fmt -check | cat", text: "main.tf", verdict: "fail" },
  ],
};
