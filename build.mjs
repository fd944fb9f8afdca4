// Builds dist/, or the folder that is the last argument: bundles, so that no process needs node_modules at run time.
// With --package it is for the machines of others: nothing of this one is in it, no code that this Node's V8 made, and no link, which npm leaves out.
// Each bundle is written beside its final name and renamed: a hook that starts during a build meets the old or the new one.
import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import {
  appendFile,
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Script } from "node:vm";
import { build } from "esbuild";

/** The name under which the hooks' bundle asks hooks/load.cjs for the verifier library. */
const VERIFIER = "catstack:verifier";
/** Of the turns that the bundle answers while it is built. */
const REPLY = "All checks pass.";

const root = fileURLToPath(new URL(".", import.meta.url));
const { version } = JSON.parse(await readFile(new URL("package.json", import.meta.url), "utf8"));
const isPackage = process.argv[2] === "--package";
const folder = process.argv[isPackage ? 3 : 2];
const outdir = folder ? pathToFileURL(`${resolve(folder)}/`) : new URL("dist/", import.meta.url);
/** @type {Set<string>} Folders below node_modules/ that a part of a bundle was taken from. */
const usedPackages = new Set();
await mkdir(outdir, { recursive: true });

/** Parts of Node that few turns need and every start would load: their functions load them when they are called. */
const lazyBuiltins = {
  name: "lazy-builtins",
  setup(plugin) {
    plugin.onResolve({ filter: /^node:(?:child_process|crypto|os|v8)$/ }, ({ path }) => ({ path, namespace: "lazy" }));
    plugin.onLoad({ filter: /^node:/, namespace: "lazy" }, ({ path }) => {
      const names = Object.entries(process.getBuiltinModule(path)).filter(([, value]) => typeof value === "function");
      const lines = names.map(
        ([name]) => `export const ${name} = (...args) => process.getBuiltinModule("${path}").${name}(...args);`,
      );
      return { contents: lines.join("\n") };
    });
  },
};

/** The verifier library is a bundle of its own, which is loaded when one of its functions is called. */
function lazyVerifier(names) {
  return {
    name: "lazy-verifier",
    setup(plugin) {
      plugin.onLoad({ filter: /\/lib\/commands\/verifier\.ts$/ }, () => {
        const lines = names.map(
          (name) => `export const ${name} = (...args) => require("${VERIFIER}").${name}(...args);`,
        );
        return { contents: lines.join("\n") };
      });
      plugin.onResolve({ filter: /^catstack:/ }, ({ path }) => ({ path, external: true }));
    },
  };
}

/** Data that is made of the tools, without the tools. */
const workedOutTelltales = {
  name: "worked-out-telltales",
  setup(plugin) {
    plugin.onLoad({ filter: /\/commands\/telltales\.ts$/ }, async ({ path }) => {
      const { programs, hints } = run(new Script(wrap(await bundleCode(path, { format: "cjs" }))));
      return {
        contents: `export const programs = ${JSON.stringify(programs)};\nexport const hints = [${hints.join()}];`,
      };
    });
  },
};

/** Chunks of CommonJS dependencies call `require`; an ES module has none until it makes one. */
const requireBanner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

await Promise.all([
  bundleHook(),
  // Names stay, for stacks; lines are short, since Node prints the one that threw.
  bundle("cli/main.ts", "catstack.mjs", {
    banner: { js: requireBanner },
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 160,
  }),
  bundle("cli/demo/stand-in.ts", "stand-in.mjs"),
  copyLauncher(),
  copySkills(),
]);
await publish("THIRD-PARTY-LICENSES", await readLicences([...usedPackages].sort()));

/** What is bundled may be passed on only with its licence. */
async function readLicences(folders) {
  const texts = folders.map(async (path) => {
    const file = (await readdir(path)).find((name) => /^licen[cs]e/i.test(name));
    if (file === undefined) throw new Error(`expected a licence in ${path}, found none; do not bundle the package`);
    const { name, version } = JSON.parse(await readFile(join(path, "package.json"), "utf8"));
    return `${name} ${version}\n\n${(await readFile(join(path, file), "utf8")).trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`);
}

/** dist/skills/ is what an install links to. */
async function copySkills() {
  const entries = await readdir(new URL("skills/", import.meta.url), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const name of names) {
    const folder = new URL(`skills/${name}/`, outdir);
    await mkdir(folder, { recursive: true });
    const temporary = new URL(`.SKILL.md.${process.pid}`, folder);
    await copyFile(new URL(`skills/${name}/SKILL.md`, import.meta.url), temporary);
    await rename(temporary, new URL("SKILL.md", folder));
  }
  for (const name of await readdir(new URL("skills/", outdir))) {
    if (!names.includes(name)) await rm(new URL(`skills/${name}`, outdir), { recursive: true, force: true });
  }
}

/** The launcher knows what it starts, word for word. */
async function copyLauncher() {
  const start = await readFile(new URL("hooks/start.cjs", import.meta.url), "utf8");
  const launch = await readFile(new URL("hooks/launch.sh", import.meta.url), "utf8");
  await publish("start.cjs", start);
  await publish(
    "launch",
    launch
      .replace("@NODE@", () => (isPackage ? "" : quoteForShell(process.execPath)))
      .replace("@START@", () => quoteForShell(start.replaceAll("\n", ""))),
  );
}

/**
 * Beside dist/hook.cjs lie the hooks' bundle, the verifier library's and the code that V8 made of both, twice: see hooks/load.cjs.
 * They are there before the file that names them. dist/hook.mjs is the name that everybody knows.
 */
async function bundleHook() {
  const shared = { format: "cjs", minify: true };
  const verifier = wrap(
    await bundleCode("lib/commands/verifier.ts", { ...shared, plugins: [lazyBuiltins, workedOutTelltales] }),
  );
  const plugins = [lazyBuiltins, lazyVerifier(Object.keys(run(new Script(verifier)))), workedOutTelltales];
  const source = wrap(await bundleCode("hooks/main.ts", { ...shared, plugins }));
  const hash = createHash("sha256").update(source).update(verifier).digest("hex").slice(0, 16);
  const loader = await readFile(new URL("hooks/load.cjs", import.meta.url), "utf8");
  const before = await readFile(new URL("hook.cjs", outdir), "utf8").catch(() => "");
  const caches = await makeCodeCaches(source, verifier, hash);
  if (!isPackage) {
    const node = `${process.version}-${process.arch}`;
    await publish(`hook-${hash}.${node}.cache`, Buffer.concat([caches.hook, caches.hook]));
    await publish(`hook-${hash}.verifier.${node}.cache`, Buffer.concat([caches.verifier, caches.verifier]));
  }
  await publish(`hook-${hash}.js`, source);
  await publish(`hook-${hash}.verifier.js`, verifier);
  await publish("hook.cjs", loader.replaceAll("@HASH@", hash));
  if (isPackage) {
    await publish("hook.mjs", 'import "./hook.cjs";\n');
    await removeOldParts((part) => part === `hook-${hash}.js` || part === `hook-${hash}.verifier.js`);
    return;
  }
  await publishLink("hook.mjs", "hook.cjs");
  // A hook that started a moment ago may still want the parts of the bundle that was there before.
  const kept = [hash, /\bhook-([0-9a-f]{16})\b/.exec(before)?.[1]];
  await removeOldParts((part) => kept.some((each) => part.startsWith(`hook-${each}.`)));
}

async function removeOldParts(isKept) {
  for (const name of await readdir(outdir)) {
    if (/^hook-[0-9a-f]{16}\./.test(name) && !isKept(name)) await rm(new URL(name, outdir), { force: true });
  }
}

/** What hooks/load.cjs runs. @param {string} code */
function wrap(code) {
  return `(function (module, require) {${escapeNonAscii(code)}})`;
}

/** @param {Script} script */
function run(script, load = process.getBuiltinModule) {
  const module = { exports: {} };
  script.runInThisContext()(module, load);
  return module.exports;
}

/** V8 reads a text of one-byte characters in half the time. esbuild escapes them, but for those in regular expressions. */
function escapeNonAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Functions that ran are in the cache with their code, so the bundle first answers turns as most are: of a session that is seen again, too. */
async function makeCodeCaches(source, verifierSource, hash) {
  const script = new Script(source, { filename: "hook.cjs" });
  const verifierScript = new Script(verifierSource, { filename: "hook.cjs" });
  let verifier;
  const load = (name) => (name === VERIFIER ? (verifier ??= run(verifierScript)) : process.getBuiltinModule(name));
  const { main } = run(script, load);
  const home = await mkdtemp(join(tmpdir(), "catstack-build-"));
  const env = { HOME: home, CATSTACK_LLM_JUDGE_STATE_DIR: join(home, "state") };
  const out = openSync(join(home, "output"), "w");
  for (const harness of ["claude", "codex"]) {
    const session = await readFile(new URL(`fixtures/transcripts/${harness}/flip.jsonl`, import.meta.url), "utf8");
    const rows = session.trimEnd().split("\n");
    const transcript = join(home, `${harness}.jsonl`);
    const answer = async (hook_event_name, from, to) => {
      await appendFile(transcript, rows.slice(from, to).join("\n") + "\n");
      const payload = { hook_event_name, transcript_path: transcript, cwd: home, last_assistant_message: REPLY };
      await writeFile(join(home, "payload"), JSON.stringify(payload));
      const stdinFd = openSync(join(home, "payload"), "r");
      await main({ args: [harness], env, stdinFd, stdoutFd: out, stderrFd: out, bundleHash: hash });
      closeSync(stdinFd);
    };
    const seen = Math.ceil(rows.length / 2);
    await answer("Stop", 0, seen);
    await answer("Stop", seen, rows.length);
    await answer("UserPromptSubmit", rows.length);
  }
  closeSync(out);
  const output = await readFile(join(home, "output"), "utf8");
  await rm(home, { recursive: true });
  if (output.includes("catstack-hook-error")) throw new Error(`expected the bundle to answer a turn, got: ${output}`);
  if (verifier === undefined) throw new Error("expected the turn to hold a check, got none");
  return { hook: script.createCachedData(), verifier: verifierScript.createCachedData() };
}

/** @param {string} entry @param {string} name @param {import("esbuild").BuildOptions} options */
async function bundle(entry, name, options = {}) {
  await publish(name, await bundleCode(entry, options));
}

/** @param {string} entry @param {import("esbuild").BuildOptions} options */
async function bundleCode(entry, options) {
  const result = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    metafile: true,
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20.19",
    // jsonc-parser's `main` is a UMD file that no bundler can follow.
    mainFields: ["module", "main"],
    legalComments: "none",
    define: { CATSTACK_VERSION: JSON.stringify(version), CATSTACK_CRASH_POINTS: "false" },
    ...options,
  });
  for (const input of Object.keys(result.metafile.inputs)) {
    const used = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    if (used !== undefined) usedPackages.add(join(root, used));
  }
  return result.outputFiles[0].text;
}

/** @param {string} name @param {string | Uint8Array} content */
async function publish(name, content) {
  const temporary = new URL(`.${name}.${process.pid}`, outdir);
  await writeFile(temporary, content);
  await chmod(temporary, 0o755);
  await rename(temporary, new URL(name, outdir));
}

/** A copy where the system refuses links. */
async function publishLink(name, target) {
  const temporary = new URL(`.${name}.${process.pid}`, outdir);
  await symlink(target, temporary).catch(() => copyFile(new URL(target, outdir), temporary));
  await rename(temporary, new URL(name, outdir));
}

/** @param {string} text */
function quoteForShell(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
