import type { Tool, ToolCases } from "./tool.ts";

/** Validators of configuration. CUE, Helm, kubeconform, Conftest. */
export const cueTools: readonly Tool[] = [
  {
    id: "cue vet",
    kind: "lint",
    calls: ["cue vet"],
    operands: "files",
    flags: {
      filter: "-d=",
      config: "-c|--concrete",
    },
    silent: true,
    lines: {
      loose: [/: (?:conflicting values|invalid value|incomplete value|field not allowed)/, /^\s+\S+:\d+:\d+$/],
    },
  },
  {
    id: "helm lint",
    kind: "lint",
    calls: ["helm lint", "kubeconform", "kubeval", "conftest test"],
    eachCall: true,
    operands: "files",
    flags: {
      config: "-f|--values= --strict --set=",
      noise: "-summary",
    },
    lines: {
      fail: [/\b[1-9]\d* chart\(s\) failed/, /\bInvalid: [1-9]/],
      loose: [/\b[1-9]\d* failures?\b/],
      pass: [/\b0 chart\(s\) failed/, /\bInvalid: 0, Errors: 0/],
    },
  },
];

export const cueCases: ToolCases = {
  docs: {
    "cue vet": "https://cuelang.org/docs/reference/command/",
    "helm lint": "https://helm.sh/docs/helm/helm_lint/",
  },
  checks: { "cue vet ./config": "cue vet config", "helm lint charts/app": "helm lint charts/app" },
  ignored: ["cue export", "helm install app charts/app"],
  outputs: [
    {
      command: "cue vet . | cat",
      text: 'port: conflicting values 80 and "80" (mismatched types int and string):',
      verdict: "fail",
    },
    { command: "cue vet .", text: "", status: 0, verdict: "pass" },
    { command: "helm lint charts/app | tail -1", text: "1 chart(s) linted, 0 chart(s) failed", verdict: "pass" },
    { command: "helm lint charts/app | tail -1", text: "Error: 1 chart(s) linted, 1 chart(s) failed", verdict: "fail" },
  ],
};
