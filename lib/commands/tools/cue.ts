import type { Tool } from "./tool.ts";

/**
 * Validators of configuration. CUE: https://cuelang.org/docs/reference/command/; Helm:
 * https://helm.sh/docs/helm/helm_lint/; kubeconform: https://github.com/yannh/kubeconform; Conftest:
 * https://www.conftest.dev
 */
export const cueTools: readonly Tool[] = [
  {
    id: "cue vet",
    calls: ["cue vet"],
    operands: "files",
    flags: {
      filter: "-d=",
      config: "-c|--concrete",
    },
    silent: true,
    lines: {
      fail: [/: (?:conflicting values|invalid value|incomplete value|field not allowed)/, /^\s+\S+:\d+:\d+$/],
      pass: [],
    },
  },
  {
    id: "helm lint",
    calls: ["helm lint", "kubeconform", "kubeval", "conftest test"],
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
