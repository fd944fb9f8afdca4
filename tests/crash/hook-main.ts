// The hook's process, with the crash points that no build has.
import { main } from "../../hooks/main.ts";

await main({
  args: process.argv.slice(2),
  env: process.env,
  stdinFd: 0,
  getStdin: () => process.stdin,
  stdoutFd: 1,
  stderrFd: 2,
  bundleHash: "crash-test",
});
