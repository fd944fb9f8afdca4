// Becomes dist/hook.cjs, which runs the bundle of main.ts and, when a turn wants it, that of the verifier library, from files beside it: a text that is
// part of this one would be looked through character by character before it is run. A vm.Script can
// use the code that V8 made of a text when it was built (the caches beside this file); without that, compiling takes a third of the time of
// an empty Node process, at every turn. A cache that is missing, or of another Node, is no more than that third. One that is damaged could
// crash Node, since V8 believes what it says: so it is written twice into its file, and used where both are the same. To compare takes an
// eighth of the time of a checksum in plain JavaScript.
// dist/hook.mjs is a link to it: Node follows the link before it looks at the name, and starts without its module loader, which is another
// third. Where links are refused it is a copy, so nothing here may be of one module system alone.
let verifier;
process.exitCode = 0;
for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, (error) => printError(error));
try {
  const bundle = run("hook-@HASH@");
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

function run(name) {
  const { Script } = process.getBuiltinModule("node:vm");
  const script = new Script(readText(name), { filename: "hook.cjs", cachedData: readCache(name) });
  const bundle = { exports: {} };
  script.runInThisContext()(bundle, load);
  return bundle.exports;
}

// A part of Node, or the verifier library, which only turns with a check want.
function load(name) {
  return name === "catstack:verifier" ? (verifier ??= run("hook-@HASH@.verifier")) : process.getBuiltinModule(name);
}

function readText(name) {
  const path = findBeside(`${name}.js`);
  try {
    return process.getBuiltinModule("node:fs").readFileSync(path, "latin1");
  } catch (error) {
    // Without its code: a reader of transcripts would take a missing file for a missing transcript.
    const got = `got ${error.code}; build catstack anew`;
    throw new Error(`expected a part of catstack at ${path}, ${got}`, { cause: error });
  }
}

function readCache(name) {
  try {
    const twice = process.getBuiltinModule("node:fs").readFileSync(findBeside(`${name}.cache`));
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
