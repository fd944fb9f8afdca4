import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { hooks } from "../hooks/index.ts";
import { parseJob } from "../inbox-schema/parse-job.ts";
import type { Case, Cases, Expectation } from "../lib/cases/case.ts";
import type { Hook, HookInput, HookOutcome, JobDraft } from "../lib/hook.ts";
import { fillMessage } from "../lib/outcome/render-message.ts";
import { stampJob } from "../lib/outcome/stamp-job.ts";
import type { Digest } from "../lib/transcript/digest.ts";
import { getDigest } from "./helpers/claude-transcript.ts";

const groups = ["silent", "advises", "enqueues"] as const;
type Group = (typeof groups)[number];

/** A hook may tell the agent this much at once. */
const MAX_ON_HIT = 600;

for (const hook of hooks) {
  const cases = await loadCases(hook.id);
  describe(hook.id, () => {
    const used = new Set<string>();
    for (const group of groups) {
      for (const each of cases[group]) test(`${group}: ${each.name}`, () => checkCase(hook, group, each, used));
    }
    test("has at least three silent cases, three that fire, and no case twice", () => {
      const names = groups.flatMap((group) => cases[group].map(({ name }) => name));
      assert.deepEqual(names, [...new Set(names)]);
      const stories = groups.flatMap((group) =>
        cases[group].map(({ steps, reply }) => `${group} ${JSON.stringify([steps, reply])}`),
      );
      assert.equal(new Set(stories).size, stories.length, "two cases tell the same story");
      assert.ok(cases.silent.length >= 3);
      assert.ok(cases.advises.length + cases.enqueues.length >= 3);
    });
    test("uses every message it has", () => {
      assert.deepEqual([...used].sort(), Object.keys(hook.messages).sort());
    });
  });
}

test("every folder with a rule is run here", () => {
  const root = fileURLToPath(new URL("../hooks", import.meta.url));
  const folders = readdirSync(root, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith("_"),
  );
  assert.deepEqual(
    hooks.map(({ id }) => id),
    folders.map(({ name }) => name).sort(),
  );
});

async function loadCases(id: string): Promise<Cases> {
  const module: unknown = await import(`../hooks/${id}/cases.ts`);
  const cases = isObject(module) ? module["default"] : undefined;
  assert.ok(
    isCases(cases),
    `expected hooks/${id}/cases.ts to export ${groups.join(", ")} as default, and nothing else`,
  );
  return cases;
}

/** The compiler has checked the parts: the file says `satisfies Cases`. */
function isCases(value: unknown): value is Cases {
  return isObject(value) && Object.keys(value).sort().join() === [...groups].sort().join();
}

function checkCase(hook: Hook, group: Group, each: Case, used: Set<string>): void {
  assertKnownKeys(each, ["name", "steps", "reply", "event", "harness", "cwd", "nearMissOf", "expect"]);
  assertKnownKeys(each.expect ?? {}, ["advice", "jobs", "remembers"]);
  const digest = getDigest(each.steps);
  const input = deepFreeze<HookInput>({
    harness: each.harness ?? "claude",
    event: each.event ?? hook.events[0] ?? "Stop",
    reply: each.reply,
    ...withCwd(each.cwd ?? digest.cwd),
    digest,
    settings: { mode: hook.defaultMode },
  });
  const outcome = hook.check(input);
  assert.deepEqual(hook.check(input), outcome, "the same input gave another outcome");
  assertGroup(group, outcome);
  assertExpected(each.expect ?? {}, outcome, digest);
  for (const { messageId, data, evidence } of outcome.advice) {
    const message = hook.messages[messageId];
    assert.ok(message !== undefined, `no message ${messageId}`);
    assert.doesNotMatch(
      fillMessage(message, data).replaceAll(/`[^`]*`/g, ""),
      /\{\w+\}/,
      "a part of the message is missing",
    );
    assert.ok(evidence.length > 0, "advice without evidence");
    used.add(messageId);
  }
  for (const draft of outcome.jobs) assertDraft(draft);
}

function withCwd(cwd: string | undefined): { readonly cwd?: string } {
  return cwd === undefined ? {} : { cwd };
}

function assertGroup(group: Group, { advice, jobs }: HookOutcome): void {
  if (group === "silent") assert.deepEqual({ advice, jobs }, { advice: [], jobs: [] });
  if (group === "advises") assert.ok(advice.length > 0, "said nothing");
  if (group === "enqueues") assert.ok(jobs.length > 0, "asked nothing");
}

function assertExpected({ advice, jobs, remembers }: Expectation, outcome: HookOutcome, digest: Digest): void {
  if (advice !== undefined) assertFits(outcome.advice, advice);
  if (jobs !== undefined) assertFits(outcome.jobs, jobs);
  if (remembers === undefined) return;
  const labels = new Map(digest.targets.map(({ target }) => [target.key, target.label]));
  assert.deepEqual(
    (outcome.remember ?? []).map((key) => labels.get(key) ?? key),
    remembers,
  );
}

/** Each item must hold what is wanted of it; further keys are not looked at. */
function assertFits(items: readonly object[], wanted: readonly object[]): void {
  assert.equal(items.length, wanted.length);
  assert.deepEqual(
    items.map((item, index) => pick(item, wanted[index])),
    wanted,
  );
}

/** The part of a value that has the keys of `wanted`. */
function pick(value: unknown, wanted: unknown): unknown {
  if (!isObject(value) || !isObject(wanted)) return value;
  return Object.fromEntries(Object.entries(wanted).map(([key, part]) => [key, pick(value[key], part)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What the edge would write must be a job. */
function assertDraft(draft: JobDraft): void {
  assert.ok(
    draft.onHit.length > 0 && draft.onHit.length <= MAX_ON_HIT,
    `${draft.onHit.length} characters for the agent`,
  );
  const job = stampJob(draft, {
    id: "a-job",
    hook: "a-hook",
    harness: "claude",
    transcript: "/home/user/session.jsonl",
    transcriptKey: "0123456789abcdef",
    createdAt: "2026-01-01T00:00:00.000Z",
    expiresAt: "2026-01-02T00:00:00.000Z",
    nonceOf: () => "fence",
  });
  const parsed = parseJob(JSON.stringify(job), "a-job");
  assert.ok(parsed.ok, parsed.ok ? "" : parsed.reason);
}

function assertKnownKeys(value: object, known: readonly string[]): void {
  assert.deepEqual(
    Object.keys(value).filter((key) => !known.includes(key)),
    [],
  );
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
  return value;
}
