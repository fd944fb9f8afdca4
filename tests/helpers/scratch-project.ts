import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { projectRoot, templates } from "../kit/folders.ts";

const copiedFiles = ["package.json", "tsconfig.json", ".oxlintrc.json", ".oxfmtrc.json", ".c8rc.json"];
const linked = ["node_modules", "lib", "inbox-schema", "cli", "tests/helpers"];

/** This project as the author of a first hook has it: the templates, the kit and the tools, and no hook. Removed after the test. */
export function makeScratchProject(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "catstack-author-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of ["hooks", "tests"]) mkdirSync(join(folder, path));
  for (const path of [...copiedFiles, "hooks/tsconfig.json"]) copyFileSync(join(projectRoot, path), join(folder, path));
  for (const path of ["tests/kit", "tests/cases.test.ts", ...templates.map((name) => `hooks/${name}`)])
    cpSync(join(projectRoot, path), join(folder, path), { recursive: true });
  for (const path of linked) symlinkSync(join(projectRoot, path), join(folder, path));
  const index = readFileSync(join(projectRoot, "hooks/index.ts"), "utf8");
  const empty = index.replace(/^import \w+ from "\.\/.*\n/gm, "").replace(/\[[\w\s,]*\];/, "[];");
  writeFileSync(join(folder, "hooks/index.ts"), empty);
  return folder;
}

/** Replaces the one place in a file that reads `from`. */
export function editFile(path: string, from: string, to: string): void {
  const text = readFileSync(path, "utf8");
  if (text.split(from).length !== 2) throw new Error(`expected ${path} to hold this once: ${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
}
