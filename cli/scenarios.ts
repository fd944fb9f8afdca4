import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { hooks } from "../hooks/index.ts";
import { listDir } from "../lib/io/list-dir.ts";
import { Failure } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { formatResult } from "./scenarios/format-result.ts";
import { readSkills } from "./scenarios/read-skills.ts";
import { readStories } from "./scenarios/read-stories.ts";
import { runStories } from "./scenarios/run-stories.ts";
import { getScratchParent } from "./scenarios/scratch.ts";
import { getDistDir } from "./setup/places.ts";

const FOLDER = "tests/scenarios";

/** `catstack scenarios`: plays whole stories through the real hooks and the real judge. 1 when one went otherwise than it tells. */
export async function scenarios(args: readonly string[], io: CliIo): Promise<number> {
  const options = { json: { type: "boolean", default: false } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const skills = readSkills(join(getDistDir(import.meta.url), "skills"));
  const known = { hookIds: hooks.map(({ id }) => id), skills: skills.map(({ name }) => name) };
  const paths = positionals.length === 0 ? listFiles(io.cwd) : positionals.map((name) => resolve(io.cwd, name));
  // All are read before one is played: a wrong key is told at once.
  const stories = paths.flatMap((path) =>
    readStories(path, known).map((story) => ({ file: relative(io.cwd, path), story })),
  );
  const played: object[] = [];
  let failures = 0;
  for await (const { file, story, results } of runStories(stories, {
    hooks,
    path: io.env["PATH"] ?? "",
    scratchParent: getScratchParent(io.env),
    skills,
    now: io.now(),
  })) {
    const ok = results.every(({ differences }) => differences.length === 0);
    if (!ok) failures++;
    if (values.json) played.push({ file, name: story.name, ok, clients: results });
    else io.out(formatResult(`${file}: ${story.name}`, results, io.color));
  }
  if (values.json) io.out(JSON.stringify({ stories: played, failed: failures }));
  else io.out(`\n${stories.length} played, ${failures === 0 ? "all went as told" : `${failures} went otherwise`}`);
  return failures === 0 ? 0 : 1;
}

function listFiles(cwd: string): string[] {
  const folder = resolve(cwd, FOLDER);
  const names = listDir(folder).filter((name) => name.endsWith(".json"));
  if (names.length === 0)
    throw new Failure(`expected stories in ${folder}, got none; name files, or go to the project's folder`);
  return names.sort().map((name) => resolve(folder, name));
}
