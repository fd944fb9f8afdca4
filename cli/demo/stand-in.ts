// Plays the model in `catstack demo`: looks for the file that the judged text calls missing, really reads it, changes nothing, and
// answers in one line of JSON, as a model is asked to.
import { existsSync, readFileSync } from "node:fs";

/** The file is looked for below the folder the runner was started in, as a model CLI would. */
function answer(prompt: string): object {
  const path = /[\w-]+\/[\w.-]+\.json/.exec(prompt)?.[0];
  if (path === undefined || !existsSync(path)) return { file_settles_it: false };
  const lines = readFileSync(path, "utf8").split("\n");
  const index = lines.findIndex((line) => line.includes("max_attempts"));
  if (index === -1) return { file_settles_it: false };
  return { file_settles_it: true, report: `${path} exists; line ${index + 1} reads ${lines[index]?.trim() ?? ""}` };
}

process.stdout.write(`${JSON.stringify(answer(process.argv.at(-1) ?? ""))}\n`);
