import type { Tool, ToolCases } from "./tool.ts";

/** Bundlers, whose build checks the code. Vite, webpack, Rollup, tsup, Next.js. */
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
    eachCall: true,
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
  docs: {
    "vite build": "https://vite.dev/guide/cli",
  },
  checks: { "vite build": "vite build", "npx next build": "next build", "npx tsup": "tsup" },
  ignored: ["vite", "vite preview", "next dev", "tsup --watch"],
  different: [["vite build", "next build"]],
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
