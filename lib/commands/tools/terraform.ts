import type { Tool, ToolCases } from "./tool.ts";

/** `terraform init` has to run first. */
const notInitialised: readonly RegExp[] = [
  /^(?:│ )?Error: (?:Missing required provider|Inconsistent dependency lock file|Module not installed|Backend initialization required)/,
];

/** Terraform and OpenTofu, TFLint. */
export const terraformTools: readonly Tool[] = [
  {
    id: "terraform validate",
    kind: "lint",
    calls: ["terraform validate", "tofu validate", "tflint"],
    eachCall: true,
    operands: "files",
    flags: {
      folder: "-chdir= --chdir=",
      noise: "-json -no-color",
    },
    lines: {
      fail: [/^[1-9]\d* issue\(s\) found/],
      loose: [/^(?:│ )?Error: (?=[A-Z])/],
      pass: [/^Success! The configuration is valid/],
      nothing: notInitialised,
    },
  },
  {
    id: "terraform plan",
    kind: "build",
    calls: ["terraform plan", "tofu plan"],
    operands: "files",
    flags: {
      filter: "-target=",
      config: "-var= -var-file= -destroy -refresh-only",
      folder: "-chdir= --chdir=",
      noise: "-json -no-color -out= -input= -lock= -lock-timeout= -parallelism= -compact-warnings",
    },
    lines: {
      loose: [/^(?:│ )?Error: (?=[A-Z])/],
      pass: [/^Plan: \d+ to add/, /^No changes\./, /^Changes to Outputs:/],
      nothing: notInitialised,
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
  docs: {
    "terraform validate": "https://developer.hashicorp.com/terraform/cli/commands/validate",
    "terraform plan": "https://developer.hashicorp.com/terraform/cli/commands/plan",
    "terraform fmt -check": "https://developer.hashicorp.com/terraform/cli/commands/fmt",
  },
  checks: {
    "terraform -chdir=infra validate": "terraform validate",
    "terraform fmt -check -recursive": "terraform fmt -check",
  },
  ignored: ["terraform apply", "terraform init", "terraform fmt"],
  outputs: [
    { command: "terraform validate", text: "│ Error: Missing required provider", status: 1, verdict: "unknown" },
    { command: "terraform validate | tail", text: "Success! The configuration is valid.", verdict: "pass" },
    { command: "terraform validate | tail", text: "│ Error: Unsupported argument", verdict: "fail" },
    { command: "terraform plan | tail -3", text: "Plan: 2 to add, 0 to change, 1 to destroy.", verdict: "pass" },
    { command: "terraform plan | tail -3", text: "│ Error: Reference to undeclared resource", verdict: "fail" },
    { command: "terraform fmt -check | cat", text: "main.tf", verdict: "fail" },
  ],
};
