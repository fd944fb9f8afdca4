import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { TestContext } from "node:test";
import { buildDir, buildHook, makeScene, removeBuild, type Scene, stopPayload } from "../helpers/hook-scene.ts";

const REPLY = "Renamed. Everything is in place.";
const SAID = /^verdict-flip-watch: .*check_refs.*\n$/;
const NODE = `${process.version}-${process.arch}`;
/** So many turns add to a cache. */
const TURNS = 8;

before(buildHook);
after(removeBuild);

describe("a build that brings no code for this Node", () => {
  test("keeps what its first turns have compiled", (t) => {
    const { dist, stop } = copyBuild(t);
    for (let turn = 1; turn <= TURNS + 1; turn++) {
      assert.match(stop().stderr, SAID);
      const caches = findCaches(dist);
      assert.deepEqual(
        caches.map((name) => name.replace(/[0-9a-f]{16}/, "HASH")),
        [`hook-HASH.${NODE}.cache`, `hook-HASH.verifier.${NODE}.cache`],
      );
      for (const name of caches) {
        const bytes = readFileSync(join(dist, name));
        const half = (bytes.length - 1) / 2;
        assert.ok(half > 10_000 && bytes.subarray(0, half).equals(bytes.subarray(half, 2 * half)), name);
        assert.equal(bytes.at(-1), Math.min(turn, TURNS), name);
      }
    }
  });

  test("begins anew where what was kept is damaged", (t) => {
    const { dist, stop } = copyBuild(t);
    stop();
    for (const name of findCaches(dist)) {
      const bytes = readFileSync(join(dist, name));
      bytes.fill(0, 4096, 8192);
      writeFileSync(join(dist, name), bytes);
    }
    assert.match(stop().stderr, SAID);
    for (const name of findCaches(dist)) assert.equal(readFileSync(join(dist, name)).at(-1), 1);
    assert.match(stop().stderr, SAID);
    for (const name of findCaches(dist)) assert.equal(readFileSync(join(dist, name)).at(-1), 2);
  });

  test("makes none while it is switched off or asked by its own judge", (t) => {
    const { dist, stop } = copyBuild(t);
    stop({ CATSTACK: "off" });
    stop({ CATSTACK_LLM_JUDGE_CHILD: "1" });
    assert.deepEqual(findCaches(dist), []);
  });

  test("keeps nothing of a turn that read a long session, for which V8 has other flags", (t) => {
    const { scene, dist, stop } = copyBuild(t);
    const rows = readFileSync(scene.transcript, "utf8");
    const row = `${JSON.stringify({ type: "system", text: "x".repeat(1_000_000) })}\n`;
    writeFileSync(scene.transcript, rows + row);
    assert.match(stop().stderr, SAID);
    assert.deepEqual(findCaches(dist), []);
    writeFileSync(scene.transcript, rows);
    assert.match(stop().stderr, SAID);
    assert.equal(findCaches(dist).length, 2);
  });

  test("goes without, and leaves nothing, where it cannot", (t) => {
    const { dist, stop } = copyBuild(t);
    const [hash = ""] = /hook-[0-9a-f]{16}/.exec(readFileSync(join(dist, "hook.cjs"), "utf8")) ?? [];
    for (const part of [hash, `${hash}.verifier`]) mkdirSync(join(dist, `${part}.${NODE}.cache`));
    const list = (): string[] => readdirSync(dist).sort();
    const before = list();
    assert.match(stop().stderr, SAID);
    assert.deepEqual(list(), before);
  });
});

describe("a build with code for this Node", () => {
  test("never writes beside itself", (t) => {
    const { dist, stop } = copyBuild(t, () => true);
    const list = (): string[] => readdirSync(dist).map((name) => `${name} ${statSync(join(dist, name)).ino}`);
    const before = list();
    assert.match(stop().stderr, SAID);
    assert.deepEqual(list(), before);
  });
});

/** A copy of the hooks' build, without caches unless they are wanted, and a way to end a turn with it that no earlier one has seen. */
function copyBuild(t: TestContext, isWanted = (name: string): boolean => !name.endsWith(".cache")) {
  const scene: Scene = makeScene(t, "flip");
  const dist = join(scene.folder, "dist");
  mkdirSync(dist);
  const names = readdirSync(buildDir).filter((name) => /^(?:hook[-.]|start\.cjs$)/.test(name) && isWanted(name));
  for (const name of names) copyFileSync(join(buildDir, name), join(dist, name));
  let turn = 0;
  const stop = (env: Readonly<Record<string, string>> = {}) => {
    const transcript = join(scene.folder, `turn-${turn++}.jsonl`);
    copyFileSync(scene.transcript, transcript);
    const input = JSON.stringify(stopPayload(transcript, REPLY));
    const run = spawnSync(process.execPath, [join(dist, "start.cjs"), "claude"], {
      env: { ...scene.env, ...env },
      input,
      encoding: "utf8",
    });
    assert.deepEqual([run.status, run.signal], [0, null], run.stderr);
    return run;
  };
  return { scene, dist, stop };
}

function findCaches(dist: string): string[] {
  return readdirSync(dist)
    .filter((name) => name.endsWith(".cache"))
    .sort();
}
