// Becomes dist/hook.cjs, which runs the bundle of main.ts and, when a turn wants it, that of the verifier library, from files beside it: a text that is
// part of this one would be looked through character by character before it is run. A vm.Script can
// use the code that V8 made of a text before (the caches beside this file); without that, compiling takes a whole
// empty Node process, at every turn. The build makes them for its own Node. Where there is none for this one, as in a package, the first turns leave
// what they have compiled, if the folder lets them: who may write there may change this file as well, so that such a cache is trusted as this file
// is. One that is damaged could crash Node, since V8 believes what it says: so it is written twice into its file, and used where both are the same.
// To compare takes an eighth of the time of a checksum in plain JavaScript.
// dist/hook.mjs is a link to it: Node follows the link before it looks at the name, and starts without its module loader, which is another
// third. Where links are refused it is a copy, so nothing here may be of one module system alone.
let verifier;
// No turn runs all of the code: so many add theirs to a cache that the build has not made.
const TURNS = 8;
const parts = [];
process.exitCode = 0;
for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, (error) => printError(error));
try {
  const bundle = run("hook-@HASH@");
  bundle
    .main({
      args: process.argv.slice(2),
      env: process.env,
      stdinFd: 0,
      getStdin: () => process.stdin,
      stdoutFd: 1,
      stderrFd: 2,
      bundleHash: "@HASH@",
    })
    .then((mayServe) => {
      if (mayServe) parts.forEach(keepCode);
      // All is written. To take the process apart first would cost a tenth of an empty one.
      process.exit();
    });
} catch (error) {
  printError(error);
}

function run(name) {
  const { Script } = process.getBuiltinModule("node:vm");
  const path = findBeside(`${name}.${process.version}-${process.arch}.cache`);
  const { code: cachedData, turns } = readCache(path);
  const script = new Script(readText(name), { filename: "hook.cjs", cachedData });
  const isUsed = cachedData !== undefined && script.cachedDataRejected === false;
  parts.push({ script, path, turns: isUsed ? turns : 0 });
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

// Behind the code, twice, stands how many turns have added to it; the build's own says nothing and is whole.
function readCache(path) {
  try {
    const bytes = process.getBuiltinModule("node:fs").readFileSync(path);
    const length = bytes.length >> 1;
    const code = bytes.subarray(0, length);
    if (length > 0 && code.equals(bytes.subarray(length, 2 * length)))
      return { code, turns: bytes[2 * length] ?? TURNS };
  } catch {
    // There is none.
  }
  return { turns: 0 };
}

function keepCode({ script, path, turns }) {
  if (turns >= TURNS) return;
  const { renameSync, unlinkSync, writeFileSync } = process.getBuiltinModule("node:fs");
  const temporary = `${path}.${process.pid}`;
  try {
    const code = script.createCachedData();
    writeFileSync(temporary, Buffer.concat([code, code, Buffer.of(turns + 1)]), { flag: "wx", mode: 0o644 });
    renameSync(temporary, path);
  } catch {
    // Not our folder, or a full disk: the next turn compiles again.
    try {
      unlinkSync(temporary);
    } catch {
      // There is none.
    }
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
