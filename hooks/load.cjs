// Becomes dist/hook.cjs: the bundle of main.ts as a text, and what runs it and, from a file beside it, the verifier library. A vm.Script can
// use the code that V8 made of a text when it was built (the caches beside this file); without that, compiling takes a third of the time of
// an empty Node process, at every turn. A cache that is missing, or of another Node, is no more than that third. One that is damaged could
// crash Node, since V8 believes what it says: so it is written twice into its file, and used where both are the same. To compare takes an
// eighth of the time of a checksum in plain JavaScript.
// dist/hook.mjs is a link to it: Node follows the link before it looks at the name, and starts without its module loader, which is another
// third. Where links are refused it is a copy, so nothing here may be of one module system alone.
const source = "@SOURCE@";
let verifier;
process.exitCode = 0;
for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, (error) => printError(error));
try {
  const bundle = run(source, "hook-@HASH@.cache");
  bundle.main({
    args: process.argv.slice(2),
    env: process.env,
    stdinFd: 0,
    getStdin: () => process.stdin,
    stdoutFd: 1,
    stderrFd: 2,
    bundleHash: "@HASH@",
  });
} catch (error) {
  printError(error);
}

function run(text, cacheName) {
  const { Script } = process.getBuiltinModule("node:vm");
  const script = new Script(text, { filename: "hook.cjs", cachedData: readCache(cacheName) });
  const bundle = { exports: {} };
  script.runInThisContext()(bundle, load);
  return bundle.exports;
}

// A part of Node, or the verifier library, which only turns with a check want.
function load(name) {
  return name === "catstack:verifier"
    ? (verifier ??= run(readVerifier(), "hook-@HASH@.verifier.cache"))
    : process.getBuiltinModule(name);
}

function readVerifier() {
  const path = findBeside("hook-@HASH@.verifier.js");
  try {
    return process.getBuiltinModule("node:fs").readFileSync(path, "latin1");
  } catch (error) {
    // Without its code: a reader of transcripts would take a missing file for a missing transcript.
    const got = `got ${error.code}; build catstack anew`;
    throw new Error(`expected the verifier library at ${path}, ${got}`, { cause: error });
  }
}

function readCache(name) {
  try {
    const twice = process.getBuiltinModule("node:fs").readFileSync(findBeside(name));
    const cache = twice.subarray(0, twice.length / 2);
    return cache.equals(twice.subarray(cache.length)) ? cache : undefined;
  } catch {
    return undefined;
  }
}

function findBeside(name) {
  return `${typeof __dirname === "string" ? __dirname : process.argv[1].replace(/[/\\][^/\\]*$/, "")}/${name}`;
}

function printError(error) {
  try {
    const text = `${error?.name ?? "Error"}: ${error?.message ?? error}`.replace(/\s+/g, " ").slice(0, 400);
    process.getBuiltinModule("node:fs").writeSync(2, `catstack-hook-error edge: ${text}\n`);
  } catch {
    // Nobody listens.
  }
}
