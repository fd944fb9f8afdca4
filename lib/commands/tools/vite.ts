import type { Tool, ToolCases } from "./tool.ts";

/**
 * Bundlers, whose build checks the code. Vite: https://vite.dev/guide/cli; webpack:
 * https://webpack.js.org/api/cli/; Rollup: https://rollupjs.org/command-line-interface/; tsup:
 * https://tsup.egoist.dev; Next.js: https://nextjs.org/docs/app/api-reference/cli/next
 */
export const viteTools: readonly Tool[] = [
  {
    id: "vite build",
    kind: "build",
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
    operands: "files",
    flags: {
      config: "-c|--config= -m|--mode=",
      noise: "--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= --outDir= --sourcemap",
      inert: "--watch -w",
    },
    lines: {
      fail: [
        /^error during build:/,
        /^✗ Build failed in /,
        /^Failed to compile\b/,
        /^> Build error occurred/,
        /^webpack .* compiled with [1-9]\d* errors?/,
        /\b[Bb]uild error$/,
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
];

export const viteCases: ToolCases = {
  checks: { "vite build": "vite build", "npx next build": "vite build", "npx tsup": "vite build" },
  ignored: ["vite", "vite preview", "next dev", "tsup --watch"],
  outputs: [
    { command: "vite build | tail -1", text: "✓ built in 580ms", verdict: "pass" },
    {
      command: "vite build | tail",
      text: "error during build:\n[vite]: Rollup failed to resolve import",
      verdict: "fail",
    },
    { command: "next build | tail", text: "Failed to compile.", verdict: "fail" },
  ],
};
