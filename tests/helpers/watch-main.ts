// `catstack watch` as a process of its own, without the other verbs.
import { watch } from "../../cli/watch.ts";

process.exitCode = await watch(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  now: () => new Date(),
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  color: false,
  cwd: process.cwd(),
  exit: (code) => process.exit(code),
});
