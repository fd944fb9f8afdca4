import type { Tool } from "./tool.ts";

/**
 * TypeScript compilers: https://www.typescriptlang.org/docs/handbook/compiler-options.html; vue-tsc:
 * https://github.com/vuejs/language-tools; svelte-check: https://svelte.dev/docs/cli/sv-check; astro check:
 * https://docs.astro.build/en/reference/cli-reference/#astro-check
 */
export const typescriptTools: readonly Tool[] = [
  {
    id: "tsc",
    calls: ["tsc", "vue-tsc", "tsgo", "typescript"],
    args: {
      operands: "files",
      flags: {
        "-p": "project=",
        "--project": "-p",
        "-b": "config",
        "--build": "-b",
        "--noEmit": "noise",
        "--pretty": "noise",
        "--incremental": "noise",
        "--tsBuildInfoFile": "noise=",
        "--extendedDiagnostics": "noise",
        "--diagnostics": "noise",
        "--skipLibCheck": "config",
        "--watch": "inert",
        "-w": "inert",
        "--init": "inert",
        "--showConfig": "inert",
        "--listFilesOnly": "inert",
        "-v": "inert",
        "--clean": "inert",
      },
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
    args: {
      operands: "files",
      flags: {
        "--tsconfig": "config=",
        "--workspace": "folder=",
        "--root": "folder=",
        "--output": "noise=",
        "--threshold": "config=",
        "--fail-on-warnings": "config",
        "--watch": "inert",
      },
    },
    lines: {
      fail: [/\bfound [1-9]\d* errors?/, /^- [1-9]\d* errors?/],
      pass: [/\bfound 0 errors/, /^- 0 errors/, /^Result \(\d+ files?\):$/],
    },
  },
];
