import type { Tool } from "./tool.ts";

/**
 * TypeScript: https://www.typescriptlang.org/docs/handbook/compiler-options.html; vue-tsc:
 * https://github.com/vuejs/language-tools; svelte-check: https://svelte.dev/docs/cli/sv-check
 */
export const typescriptTools: readonly Tool[] = [
  {
    id: "tsc",
    calls: ["tsc", "vue-tsc", "tsgo", "typescript"],
    operands: "files",
    flags: {
      config: "-b|--build --skipLibCheck",
      project: "-p|--project=",
      noise: "--noEmit --pretty --incremental --tsBuildInfoFile= --extendedDiagnostics --diagnostics",
      inert: "--watch -w --init --showConfig --listFilesOnly -v --clean",
    },
    silent: true,
    lines: {
      fail: [/\berror TS\d+: /, /^Found [1-9]\d* errors?\b/],
      pass: [/^Found 0 errors\b/],
      nothing: [/^This is not the tsc command you are looking for/],
    },
  },
  {
    id: "svelte-check",
    calls: ["svelte-check", "astro check"],
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
