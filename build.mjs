// Builds dist/, or the folder that is the first argument: one file a process, so that neither needs node_modules at run time.
// Each bundle is written beside its final name and renamed: a hook that starts during a build meets the old or the new one.
import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const { version } = JSON.parse(await readFile(new URL("package.json", import.meta.url), "utf8"));
const outdir = process.argv[2] ? pathToFileURL(`${resolve(process.argv[2])}/`) : new URL("dist/", import.meta.url);
await mkdir(outdir, { recursive: true });

/** Chunks of CommonJS dependencies call `require`; an ES module has none until it makes one. */
const requireBanner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** Stands in the hook bundle for the hash of the bundle, which is known only when it is built. */
const hashPlaceholder = "@BUNDLE_HASH@";

await Promise.all([
  bundle("hooks/main.ts", "hook.mjs", { minify: true }),
  bundle("cli/main.ts", "catstack.mjs", { banner: { js: requireBanner } }),
  bundle("cli/demo/stand-in.ts", "stand-in.mjs"),
  copy("hooks/start.cjs", "start.cjs"),
  copy("hooks/launch.sh", "launch", (text) => text.replace("@NODE@", () => quoteForShell(process.execPath))),
]);

/** @param {string} entry @param {string} name @param {import("esbuild").BuildOptions} options */
async function bundle(entry, name, options = {}) {
  const result = await build({
    entryPoints: [entry],
    absWorkingDir: fileURLToPath(new URL(".", import.meta.url)),
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20.19",
    // jsonc-parser's `main` is a UMD file that no bundler can follow.
    mainFields: ["module", "main"],
    legalComments: "none",
    define: { CATSTACK_VERSION: JSON.stringify(version), CATSTACK_BUNDLE_HASH: JSON.stringify(hashPlaceholder) },
    ...options,
  });
  const code = result.outputFiles[0].text;
  const hash = createHash("sha256").update(code).digest("hex").slice(0, 16);
  await publish(name, code.replace(hashPlaceholder, hash));
}

/** @param {string} source @param {string} name */
async function copy(source, name, change = (/** @type {string} */ text) => text) {
  await publish(name, change(await readFile(new URL(source, import.meta.url), "utf8")));
}

/** @param {string} name @param {string | Uint8Array} content */
async function publish(name, content) {
  const temporary = new URL(`.${name}.${process.pid}`, outdir);
  await writeFile(temporary, content);
  await chmod(temporary, 0o755);
  await rename(temporary, new URL(name, outdir));
}

/** @param {string} text */
function quoteForShell(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
