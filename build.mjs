// Builds dist/: one file a process, so that neither needs node_modules at run time.
// Each bundle is written beside its final name and renamed: a hook that starts during a build meets the old or the new one.
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const { version } = JSON.parse(await readFile(new URL("package.json", import.meta.url), "utf8"));
const outdir = new URL("dist/", import.meta.url);
await mkdir(outdir, { recursive: true });

/** Chunks of CommonJS dependencies call `require`; an ES module has none until it makes one. */
const requireBanner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

await Promise.all([
  bundle("hooks/main.ts", "hook.mjs", { minify: true }),
  bundle("cli/main.ts", "catstack.mjs", { banner: { js: requireBanner } }),
]);

/** @param {string} entry @param {string} name @param {import("esbuild").BuildOptions} options */
async function bundle(entry, name, options) {
  const result = await build({
    entryPoints: [entry],
    absWorkingDir: new URL(".", import.meta.url).pathname,
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20.19",
    legalComments: "none",
    define: { CATSTACK_VERSION: JSON.stringify(version) },
    ...options,
  });
  const temporary = new URL(`.${name}.${process.pid}`, outdir);
  await writeFile(temporary, result.outputFiles[0].contents);
  await chmod(temporary, 0o755);
  await rename(temporary, new URL(name, outdir));
}
