// Becomes dist/hook.cjs: the bundle of main.ts as a text, and what runs it. A vm.Script can use the code that V8 made of it when it was
// built (the cache beside this file); without that, compiling takes a third of the time of an empty Node process, at every turn. A cache
// that is missing, or of another Node, is no more than that third. One that is damaged could crash Node, since V8 believes what it says: so it
// is written twice into its file, and used where both are the same. To compare takes an eighth of the time of a checksum in plain JavaScript.
// dist/hook.mjs is a link to it: Node follows the link before it looks at the name, and starts without its module loader, which is another
// third. Where links are refused it is a copy, so nothing here may be of one module system alone.
const source = "@SOURCE@";
process.exitCode = 0;
for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, (error) => printError(error));
try {
  const { Script } = process.getBuiltinModule("node:vm");
  const script = new Script(source, { filename: "hook.cjs", cachedData: readCache() });
  const bundle = { exports: {} };
  script.runInThisContext()(bundle, process.getBuiltinModule);
  bundle.exports.main({
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

function readCache() {
  try {
    const folder = typeof __dirname === "string" ? __dirname : process.argv[1].replace(/[^/\\]*$/, "");
    const twice = process.getBuiltinModule("node:fs").readFileSync(`${folder}/hook-@HASH@.cache`);
    const cache = twice.subarray(0, twice.length / 2);
    return cache.equals(twice.subarray(cache.length)) ? cache : undefined;
  } catch {
    return undefined;
  }
}

function printError(error) {
  try {
    const text = `${error?.name ?? "Error"}: ${error?.message ?? error}`.replace(/\s+/g, " ").slice(0, 400);
    process.getBuiltinModule("node:fs").writeSync(2, `catstack-hook-error edge: ${text}\n`);
  } catch {
    // Nobody listens.
  }
}
