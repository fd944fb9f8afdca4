import { reportFlags, type Tool } from "./tool.ts";

/**
 * Linters of configuration and prose. actionlint: https://github.com/rhysd/actionlint; zizmor: https://docs.zizmor.sh;
 * yamllint: https://yamllint.readthedocs.io; hadolint: https://github.com/hadolint/hadolint; markdownlint:
 * https://github.com/DavidAnson/markdownlint-cli2; vale: https://vale.sh/docs/cli; cue: https://cuelang.org/docs;
 * terraform: https://developer.hashicorp.com/terraform/cli/commands/validate; helm: https://helm.sh/docs/helm/helm_lint/
 */
export const configFileTools: readonly Tool[] = [
  {
    id: "actionlint",
    calls: ["actionlint"],
    args: {
      operands: "files",
      flags: {
        "-color": "noise",
        "-no-color": "noise",
        "-shellcheck": "config=",
        "-pyflakes": "config=",
        "-ignore": "config=",
        "-format": "noise=",
        "-oneline": "noise",
      },
    },
    silent: true,
    lines: { fail: [], loose: [/^\S+:\d+:\d+: .*\[[\w-]+\]$/], pass: [] },
  },
  {
    id: "zizmor",
    calls: ["zizmor"],
    args: { operands: "files", flags: { ...reportFlags, "--offline": "config", "--persona": "config=" } },
    lines: {
      fail: [/^\d+ findings? \((?!.*\b0 (?:low|medium|high))/, /^error\[[\w-]+\]: /],
      pass: [/^No findings to report/],
    },
  },
  {
    id: "yamllint",
    calls: ["yamllint"],
    args: {
      operands: "files",
      flags: { "-c": "config=", "-d": "config=", "-f": "noise=", "-s": "config", "--strict": "-s" },
    },
    silent: true,
    lines: { fail: [/^\s+\d+:\d+\s+error\s/, /^\S+:\d+:\d+: \[error\]/], pass: [] },
  },
  {
    id: "hadolint",
    calls: ["hadolint"],
    args: { operands: "files", flags: { "-c": "config=", "--ignore": "config=", "-f": "noise=", "-t": "config=" } },
    silent: true,
    lines: { fail: [/^\S+:\d+ (?:DL|SC)\d+ /], pass: [] },
  },
  {
    id: "markdownlint",
    calls: ["markdownlint-cli2", "markdownlint"],
    args: {
      operands: "files",
      flags: {
        "--config": "config=",
        "-c": "--config",
        "--fix": "config",
        "-f": "--fix",
        "--ignore": "filter=",
        "-i": "--ignore",
        "--disable": "config=",
        "--dot": "noise",
        "-d": "noise",
      },
    },
    silent: true,
    lines: {
      fail: [/^Summary: [1-9]\d* error/, /^\S+:\d+(?::\d+)? (?:error )?MD\d+/],
      pass: [/^Summary: 0 error/],
      nothing: [/^Linting: 0 file/],
    },
  },
  {
    id: "vale",
    calls: ["vale"],
    not: ["sync", "ls-config", "ls-dirs"],
    args: {
      operands: "files",
      flags: {
        "--config": "config=",
        "--glob": "filter=",
        "--minAlertLevel": "config=",
        "--output": "noise=",
        "--no-exit": "noise",
      },
    },
    lines: {
      fail: [/^✖ [1-9]\d* errors?, /],
      pass: [/^✔ 0 errors, /, /^(?:✖|✔) 0 errors, /],
      nothing: [/^✖ .* in 0 files/],
    },
  },
  {
    id: "cue vet",
    calls: ["cue vet"],
    args: { operands: "files", flags: { "-d": "filter=", "-c": "config", "--concrete": "-c" } },
    silent: true,
    lines: {
      fail: [/: (?:conflicting values|invalid value|incomplete value|field not allowed)/, /^\s+\S+:\d+:\d+$/],
      pass: [],
    },
  },
  {
    id: "terraform validate",
    calls: ["terraform validate", "tofu validate", "tflint"],
    args: {
      operands: "files",
      flags: { "-chdir": "folder=", "-json": "noise", "-no-color": "noise", "--chdir": "folder=" },
    },
    lines: {
      loose: [/^(?:│ )?Error: /],
      fail: [/^[1-9]\d* issue\(s\) found/],
      pass: [/^Success! The configuration is valid/],
    },
  },
  {
    id: "terraform fmt -check",
    calls: ["terraform fmt", "tofu fmt"],
    onlyWith: ["-check"],
    args: {
      operands: "files",
      flags: { "-chdir": "folder=", "-check": "noise", "-recursive": "config", "-diff": "noise" },
    },
    silent: true,
    lines: { fail: [], loose: [/^\S+\.tf(?:vars)?$/], pass: [] },
  },
  {
    id: "helm lint",
    calls: ["helm lint", "kubeconform", "kubeval", "conftest test"],
    args: {
      operands: "files",
      flags: { "-f": "config=", "--values": "-f", "--strict": "config", "--set": "config=", "-summary": "noise" },
    },
    lines: {
      fail: [/\b[1-9]\d* chart\(s\) failed/, /\bInvalid: [1-9]/],
      loose: [/\b[1-9]\d* failures?\b/],
      pass: [/\b0 chart\(s\) failed/, /\bInvalid: 0, Errors: 0/],
    },
  },
  {
    id: "pre-commit",
    calls: ["pre-commit run", "prek run", "lefthook run"],
    args: {
      operands: "filters",
      flags: {
        "-a": "filter",
        "--all-files": "-a",
        "--files": "filter",
        "--hook-stage": "config=",
        "--show-diff-on-failure": "noise",
        "--from-ref": "filter=",
        "--to-ref": "filter=",
        "-c": "config=",
      },
    },
    lines: {
      fail: [/\.{3,}Failed$/, /\.{3,}\(no files to check\)Failed$/],
      pass: [/\.{3,}Passed$/],
      nothing: [/\(no files to check\)\s*Skipped$/, /^No hook with id /],
    },
  },
  {
    id: "knip",
    calls: ["knip", "depcheck", "madge", "dependency-cruiser", "depcruise", "publint", "attw"],
    args: {
      operands: "files",
      flags: {
        ...reportFlags,
        "-c": "config=",
        "--config": "-c",
        "--production": "config",
        "--strict": "config",
        "--circular": "config",
        "--pack": "noise",
      },
    },
    silent: true,
    lines: {
      fail: [
        /^(?:Unused|Unlisted|Unresolved|Duplicate|Missing) [\w ]+ \([1-9]\d*\)/,
        /^✖ Found [1-9]/,
        /^x [1-9]\d* dependency violations/,
      ],
      pass: [/^✔ No circular dependency/, /^✔ no dependency violations/, /^All good!/],
    },
  },
];
