import type { Tool, ToolCases } from "./tool.ts";

/** TypeScript, vue-tsc, svelte-check. */
export const typescriptTools: readonly Tool[] = [
  {
    id: "tsc",
    kind: "types",
    calls: ["tsc", "vue-tsc", "tsgo", "typescript"],
    eachCall: true,
    operands: "files",
    flags: {
      config: "-b|--build --skipLibCheck",
      project: "-p|--project=",
      noise: "--noEmit --pretty --incremental --tsBuildInfoFile= --extendedDiagnostics --diagnostics",
      inert: "--watch -w --init --showConfig --listFilesOnly -v --clean",
    },
    silent: true,
    lines: {
      fail: [/\berror TS(?!(?:5057|5058|18003):)\d+: /, /^Found [1-9]\d* errors?\b/],
      pass: [/^Found 0 errors\b/],
      nothing: [/^\s*This is not the tsc command you are looking for/, /^error TS(?:5057|5058|18003): /],
    },
  },
  {
    id: "svelte-check",
    kind: "types",
    calls: ["svelte-check", "astro check"],
    eachCall: true,
    operands: "files",
    flags: {
      config: "--tsconfig= --threshold= --fail-on-warnings",
      folder: "--workspace= --root=",
      noise: "--output=",
      inert: "--watch",
    },
    lines: {
      fail: [/\bfound [1-9]\d* errors?/, /^- [1-9]\d* errors?/],
      pass: [/\bfound 0 errors/, /^- 0 errors/, /^Result \(\d+ files?\):$/],
    },
  },
];

export const typescriptCases: ToolCases = {
  docs: {
    tsc: "https://www.typescriptlang.org/docs/handbook/compiler-options.html",
    "svelte-check": "https://svelte.dev/docs/cli/sv-check",
  },
  checks: {
    "npx tsc --noEmit": "tsc",
    "./node_modules/.bin/tsc -p packages/a/tsconfig.json": "tsc packages/a/tsconfig.json",
    "pnpm --filter web exec tsc --noEmit": "tsc web",
    "yarn vue-tsc -b": "vue-tsc",
    "npx svelte-check": "svelte-check",
  },
  ignored: ["tsc --init", "tsc --watch", "tsc -v", "tsc --showConfig", "npm i typescript"],
  same: [["tsc --noEmit", "npx tsc --noEmit --pretty false 2>&1 | head -30"]],
  different: [
    ["tsc --noEmit", "vue-tsc --noEmit"],
    ["tsc -p a/tsconfig.json", "tsc -p b/tsconfig.json"],
    ["tsc --noEmit", "tsc -b"],
  ],
  outputs: [
    { command: "tsc --noEmit", text: "", status: 0, verdict: "pass" },
    {
      command: "tsc --noEmit | tail",
      text: "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
      verdict: "fail",
    },
    { command: "tsc --noEmit | tail", text: "Found 3 errors in 2 files.", verdict: "fail" },
    {
      command: "tsc -p nope.json",
      text: "error TS5058: The specified path does not exist: 'nope.json'.",
      status: 1,
      verdict: "unknown",
    },
    { command: "tsc --noEmit | grep src/a.ts", text: "", verdict: "unknown" },
    { command: "npx tsc | tail", text: "This is not the tsc command you are looking for", verdict: "unknown" },
    { command: "svelte-check | tail", text: "svelte-check found 0 errors and 2 warnings", verdict: "pass" },
  ],
};
