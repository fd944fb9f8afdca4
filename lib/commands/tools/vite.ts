import { reportFlags, type Tool } from "./tool.ts";

/**
 * Bundlers, whose build is a check of the code. Vite: https://vite.dev/guide/cli; Vite+: https://viteplus.dev; webpack:
 * https://webpack.js.org/api/cli/; Rollup: https://rollupjs.org/command-line-interface/; esbuild: https://esbuild.github.io;
 * tsup: https://tsup.egoist.dev; Next.js: https://nextjs.org/docs/app/api-reference/cli/next; Astro, Nuxt, Docusaurus alike
 */
export const viteTools: readonly Tool[] = [
  {
    id: "vite build",
    calls: [
      "vite build",
      "vp build",
      "next build",
      "nuxt build",
      "astro build",
      "docusaurus build",
      "tsup",
      "tsdown",
      "rollup",
      "webpack",
      "webpack build",
      "parcel build",
      "nest build",
      "ng build",
      "vue-cli-service build",
      "react-scripts build",
      "remix build",
    ],
    args: {
      operands: "files",
      flags: {
        ...reportFlags,
        "-c": "config=",
        "--config": "-c",
        "-m": "config=",
        "--mode": "-m",
        "--outDir": "noise=",
        "--sourcemap": "noise",
        "--watch": "inert",
        "-w": "inert",
      },
    },
    lines: {
      fail: [
        /^error during build:/,
        /^✗ Build failed in /,
        /^Failed to compile\b/,
        /^> Build error occurred/,
        /^webpack .* compiled with [1-9]\d* errors?/,
        /\bbuild error$/i,
      ],
      loose: [/^\[!\] /, /^ERROR in /],
      pass: [
        /^✓ built in /,
        /^(?:✓ )?Compiled successfully/,
        /\bBuild success in /,
        /^webpack .* compiled (?:successfully|with \d+ warnings?)/,
        /^\[SUCCESS\] /,
        /^created \S+ in /,
        /^✨ {2}Built in /,
      ],
    },
  },
  {
    id: "vp check",
    calls: ["vp check", "vp lint", "vp fmt"],
    args: {
      operands: "files",
      flags: {
        ...reportFlags,
        "--fix": "config",
        "--check": "noise",
        "--type-check": "config",
        "--no-fmt": "config",
        "--no-lint": "config",
      },
    },
    lines: {
      fail: [/^Found (?:formatting issues|[1-9]\d* (?:errors?|lint|type))/, /^error: (?:Formatting issues|Lint|Type)/i],
      pass: [/^pass: /],
    },
  },
  {
    id: "vp test",
    calls: ["vp test run", "vp test"],
    args: { operands: "mixed", flags: { ...reportFlags, "-t": "filter=", "--run": "noise", "--watch": "inert" } },
    lines: {
      fail: [/^\s*(?:Test Files|Tests)\s+.*\b[1-9]\d* failed/],
      pass: [/^\s*(?:Test Files|Tests)\s+(?:\d+ \w+ \| )*\d+ passed/],
      nothing: [/^No test files found/],
    },
  },
];
