import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { z } from "zod";
import { MAX_JOB_BYTES, MAX_PROMPT_BYTES } from "../../inbox-schema/job.ts";
import { getJsonSchemas } from "../../inbox-schema/json-schema.ts";
import { parseJob } from "../../inbox-schema/parse-job.ts";
import { parseSettingsFile } from "../../inbox-schema/parse-settings.ts";
import { parseVerdict } from "../../inbox-schema/parse-verdict.ts";

const schemaDir = new URL("../../inbox-schema/", import.meta.url);
const jobsDir = new URL("../../fixtures/jobs/", import.meta.url);

const base = { hook: "by-hand", transcript: "/tmp/t.jsonl", prompt: "Answer with one line of JSON: {}.", on_hit: "ok" };

/** Every file of fixtures/jobs/invalid: its code and a part of its reason that names what is wrong. */
const invalid: Record<string, [code: string, reason: string]> = {
  "answer-list": ["invalid", "expected `answer` to be an object, got an array of 1 item; correct it"],
  array: ["not_an_object", "expected the file to hold one JSON object, got an array of 1 item"],
  comment: ["invalid_json", "expected JSON without comments, got `// sent by hand` at line 1, column 116"],
  "constructor-key": ["invalid", "expected no key named `constructor` at the top level"],
  "created-at-seconds": ["invalid", "`created_at` to be a time like 2026-01-31T09:30:00Z, got 1769851800 (number)"],
  "cut-off": [
    "invalid_json",
    'expected a string that ends with a double quote, got `"half a quest` at line 3, column 13',
  ],
  "cwd-number": ["invalid", "expected `cwd` to be a string, got 5 (number); correct it or leave it out"],
  "empty-file": ["invalid_json", "the file is empty"],
  "empty-object": ["invalid", "expected `prompt` (a question for a model) or `answer`"],
  "expires-at-words": [
    "invalid",
    'expected `expires_at` to be a time like 2026-01-31T09:30:00Z, got "tomorrow" (string)',
  ],
  "hit-keys-mixed": ["invalid", "expected `hit_if_all_true[1]` to be a string, got true (boolean)"],
  "hit-keys-text": ["invalid", 'expected `hit_if_all_true` to be an array of strings, got "ok" (string)'],
  "hook-missing": ["invalid", "expected `hook` to be a string that is not empty, got nothing; add it"],
  "id-empty": ["invalid", 'expected `id` to be 1 to 64 letters, digits, `_` or `-`, got "" (string); leave it out'],
  "id-null": ["invalid", "expected `id` to be 1 to 64 letters, digits, `_` or `-`, got null; leave it out"],
  "id-number": ["invalid", "expected `id` to be 1 to 64 letters, digits, `_` or `-`, got 17 (number); leave it out"],
  "id-of-another-file": ["invalid", '"id-of-another-file" (string), got "another" (string); leave it out or rename'],
  "id-path": ["invalid", 'expected `id` to be 1 to 64 letters, digits, `_` or `-`, got "../../etc/passwd" (string)'],
  "mode-unknown": ["invalid", 'expected `mode` to be "default" or "investigate", got "deep" (string)'],
  "name with spaces": ["invalid", 'as the job has no `id`, got "name with spaces" (string); rename the file'],
  nan: ["invalid_json", "got `NaN` at line 1, column 134"],
  "neither-prompt-nor-answer": ["invalid", "expected `prompt` (a question for a model) or `answer` (evidence"],
  null: ["not_an_object", "expected the file to hold one JSON object, got null"],
  "on-hit-null": ["invalid", "expected `on_hit` to be a string that is not empty, got null; correct it"],
  "only-spaces": ["invalid_json", "the file is empty"],
  "prompt-and-answer": ["invalid", "expected either `prompt` or `answer`, got both; leave one out"],
  "prompt-empty": ["invalid", 'expected `prompt` to be a string that is not empty, got "" (string)'],
  "proto-key": ["invalid", "expected no key named `__proto__` at the top level"],
  "prototype-in-answer": ["invalid", "expected no key named `prototype` in `answer`"],
  "quoted-object": ["invalid", "expected `quoted` to be an array of strings, got an object"],
  "schema-2": ["unsupported_schema", "expected `schema` to be 1, got 2 (number); update catstack"],
  "schema-fraction": ["invalid", "expected `schema` to be 1 or absent, got 1.5 (number)"],
  "schema-text": ["invalid", 'expected `schema` to be 1 or absent, got "1" (string)'],
  "session-id-number": ["invalid", "expected `session_id` to be a string, got 5 (number)"],
  string: ["not_an_object", 'expected the file to hold one JSON object, got "just text" (string)'],
  "timeout-infinite": ["invalid", "expected `timeout_seconds` to be a number above 0, got Infinity (number)"],
  "timeout-negative": ["invalid", "expected `timeout_seconds` to be a number above 0, got -5 (number); correct it or"],
  "timeout-text": ["invalid", 'expected `timeout_seconds` to be a number above 0, got "60" (string)'],
  "timeout-zero": ["invalid", "expected `timeout_seconds` to be a number above 0, got 0 (number)"],
  "trailing-comma": ["invalid_json", "expected a key in double quotes, got `}` at line 1, column 115"],
  "transcript-empty": ["invalid", 'expected `transcript` to be a string that is not empty, got "" (string)'],
  "transcript-key-capitals": ["invalid", "expected `transcript_key` to be 16 characters of 0-9 and a-f"],
  "transcript-list": ["invalid", "expected `transcript` to be a string that is not empty, got an array of 1 item"],
};

describe("job files", () => {
  for (const stem of listStems("valid")) {
    it(`accepts ${stem} and keeps everything in it`, () => {
      const text = readJob("valid", stem);
      const file = parsePlain(text);
      assert.deepEqual(getJob(text, stem), { schema: 1, hit_if_all_true: [], ...file, id: stem });
    });
  }

  it("has an expectation for every invalid file", () => {
    assert.deepEqual(listStems("invalid"), Object.keys(invalid).sort());
  });

  for (const [stem, [code, reason]] of Object.entries(invalid)) {
    it(`refuses ${stem} and says why`, () => {
      const refused = getRefusal(readJob("invalid", stem), stem);
      assert.equal(refused.code, code);
      assert.ok(refused.reason.includes(reason), refused.reason);
      assert.match(refused.reason, /; [a-z][^;]*[^,;]$/, "it ends with what to do");
    });
  }

  it("takes an id of 64 characters and refuses 65", () => {
    assert.equal(getJob(JSON.stringify(base), "a".repeat(64)).id, "a".repeat(64));
    assert.match(
      getRefusal(JSON.stringify(base), "a".repeat(65)).reason,
      /^expected the file's name without \.json to be 1 to 64/,
    );
  });

  it("names the file's stem when both ids are usable but differ, and does not take the other job's id", () => {
    const { envelope } = getRefusal(JSON.stringify({ ...base, id: "another" }), "mine");
    assert.equal(envelope.id, "mine");
  });

  it("does not reach the prototype of anything it returns", () => {
    const refused = getRefusal(`{"__proto__": {"on_hit": "polluted"}, "hook": "h"}`, "x");
    assert.deepEqual(refused.envelope, { id: "x", hook: "h" });
    assert.equal(Reflect.get({}, "on_hit"), undefined);
  });
});

describe("size limits", () => {
  it("counts a prompt in bytes of UTF-8", () => {
    const twoBytes = MAX_PROMPT_BYTES / 2;
    assert.equal(parseJob(JSON.stringify({ ...base, prompt: "é".repeat(twoBytes) }), "x").ok, true);
    const refused = getRefusal(JSON.stringify({ ...base, prompt: "é".repeat(twoBytes + 1) }), "x");
    assert.equal(refused.code, "too_large");
    assert.match(refused.reason, /^expected `prompt` to be at most 1048576 bytes of UTF-8, got 1048578; shorten it/);
    assert.equal(refused.envelope.transcript, "/tmp/t.jsonl");
  });

  it("takes a file of 1.5 MiB and refuses one byte more, still reading where its verdict belongs", () => {
    const text = JSON.stringify(base);
    assert.equal(parseJob(text.padEnd(MAX_JOB_BYTES), "x").ok, true);
    const refused = getRefusal(text.padEnd(MAX_JOB_BYTES + 1), "x");
    assert.equal(refused.code, "too_large");
    assert.match(refused.reason, /^expected the file to be at most 1572864 bytes of UTF-8, got 1572865/);
    assert.deepEqual(refused.envelope, { id: "x", hook: "by-hand", transcript: "/tmp/t.jsonl", on_hit: "ok" });
  });

  it("refuses a 2 MB job whose characters are few but wide", () => {
    const refused = getRefusal(JSON.stringify({ ...base, x: "€".repeat(700_000) }), "x");
    assert.equal(refused.code, "too_large");
    assert.equal(refused.envelope.transcript, "/tmp/t.jsonl");
  });

  it("does not search a file of 9 million characters", () => {
    const refused = getRefusal(JSON.stringify(base).padEnd(9_000_000), "x");
    assert.equal(refused.code, "too_large");
    assert.deepEqual(refused.envelope, { id: "x" });
  });

  it("accepts 64 levels of nesting and refuses 65, with any depth after that", () => {
    const nested = (levels: number) =>
      JSON.stringify(base).replace(/}$/, `,"x":${"[".repeat(levels)}${"]".repeat(levels)}}`);
    assert.equal(parseJob(nested(63), "x").ok, true);
    for (const levels of [64, 200_000]) {
      const refused = getRefusal(nested(levels), "x");
      assert.equal(refused.code, "invalid");
      assert.match(refused.reason, /^expected arrays and objects to nest at most 64 levels deep/);
      assert.equal(refused.envelope.transcript, "/tmp/t.jsonl");
    }
  });

  it("refuses broken JSON that nests deeper than a parser can recurse", () => {
    const refused = getRefusal("[".repeat(300_000), "x");
    assert.equal(refused.code, "invalid_json");
    assert.match(refused.reason, /^expected JSON, got a SyntaxError/);
  });
});

describe("reasons", () => {
  it("cut a shown value to 60 characters, never within a character", () => {
    const { reason } = getRefusal(JSON.stringify({ ...base, mode: `${"m".repeat(57)}🐈${"m".repeat(100)}` }), "x");
    assert.ok(reason.includes(`got "${"m".repeat(57)}… (string)`), reason);
  });

  it("spell out what a terminal would obey or hide", () => {
    const { reason } = getRefusal(JSON.stringify({ ...base, mode: "\u001b[2J\u202Eevil\u2028\u009b" }), "x");
    assert.ok(reason.includes('got "\\u001b[2J\\u{202e}evil\\u{2028}\\u{9b}" (string)'), reason);
  });

  it("are 300 characters at most with the longest values", () => {
    const long = "\u202e".repeat(1000);
    const bad = [{ id: long }, { id: "i".repeat(64) }, { mode: long }, { created_at: long }, { hit_if_all_true: [1] }];
    for (const change of bad) {
      for (const stem of [long, "s".repeat(64)]) {
        const { reason } = getRefusal(JSON.stringify({ ...base, ...change }), stem);
        assert.ok(
          reason.length <= 300 &&
            /; (?:correct it|correct it or leave it out|leave it out or rename the file|leave it out, as .*|rename the file)$/.test(
              reason,
            ),
          reason,
        );
      }
    }
  });

  it("count lines of any ending", () => {
    const { reason } = getRefusal('{\r\n"a": 1,\r"b": 2,\n  "c" 3\r\n}', "x");
    assert.match(reason, /^expected `:`, got `3` at line 4, column 7;/);
  });
});

describe("envelope of a refused job", () => {
  it("carries what a verdict needs, each only when it is of the right kind", () => {
    const good = {
      transcript_key: "0f1e2d3c4b5a6978",
      harness: "codex",
      session_id: "s",
      turn_id: "t",
      rule_id: "r",
      mode: "investigate",
    };
    const { prompt: _, ...rest } = { ...base, ...good };
    assert.deepEqual(getRefusal(JSON.stringify(rest), "x").envelope, { id: "x", ...rest });
    const bad = {
      hook: 1,
      transcript: "",
      transcript_key: "no",
      on_hit: {},
      harness: null,
      session_id: [],
      mode: "deep",
    };
    assert.deepEqual(getRefusal(JSON.stringify(bad), "not an id").envelope, {});
  });

  it("leaves out a text longer than any path", () => {
    const { envelope } = getRefusal(JSON.stringify({ transcript: "t".repeat(4096), on_hit: "o".repeat(4097) }), "x");
    assert.deepEqual(envelope, { id: "x", transcript: "t".repeat(4096) });
  });

  it("is read from broken JSON, but for a string that is itself cut off", () => {
    assert.deepEqual(getRefusal('{"hook":"h","timeout_seconds":NaN,"transcript":"/t"}', "x").envelope, {
      id: "x",
      hook: "h",
      transcript: "/t",
    });
    assert.deepEqual(getRefusal('{"hook":"h","transcript":"/home/me/half', "x").envelope, { id: "x", hook: "h" });
    assert.deepEqual(getRefusal('[["hook","h"],', "x").envelope, { id: "x" });
  });
});

describe("any input", () => {
  const keys = [...Object.keys(parsePlain(readJob("valid", "every-key"))), "answer", "x"].filter((key) => key !== "id");
  /** A right or nearly right job: some keys of a good one, some replaced by anything. */
  const nearlyJob = fc
    .tuple(
      fc.subarray(keys),
      fc.dictionary(
        fc.constantFrom(...keys),
        fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom("", "default", 1, -1, {}, [])),
        { maxKeys: 2 },
      ),
      fc.boolean(),
    )
    .map(([kept, replaced, full]) => {
      const whole = parsePlain(readJob("valid", "every-key"));
      const taken = Object.fromEntries(Object.entries(whole).filter(([key]) => full || kept.includes(key)));
      const { id: _, ...job } = taken;
      return { ...job, ...replaced };
    });
  const anyText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.json(),
    nearlyJob.map((job) => JSON.stringify(job)),
    fc.tuple(nearlyJob, fc.nat(400)).map(([job, end]) => JSON.stringify(job).slice(0, end)),
  );

  it("is parsed or refused with a reason of one line, and never throws", () => {
    fc.assert(
      fc.property(anyText, fc.oneof(fc.constant("stem"), fc.string({ unit: "binary" })), (text, stem) => {
        const parsed = parseJob(text, stem);
        if (parsed.ok) assert.equal(parsed.job.id, stem);
        else assert.match(parsed.reason, /^[^\p{Cc}\p{Zl}\p{Zp}]{20,300}$/u);
        const verdict = parseVerdict(text);
        if (!verdict.ok) assert.match(verdict.reason, /^[^\p{Cc}\p{Zl}\p{Zp}]{20,300}$/u);
      }),
      { numRuns: 500 },
    );
  });

  it("that is a job is the same job when written out and read again", () => {
    let jobs = 0;
    fc.assert(
      fc.property(nearlyJob, (value) => {
        const parsed = parseJob(JSON.stringify(value), "stem");
        if (!parsed.ok) return;
        jobs++;
        assert.deepEqual(parseJob(JSON.stringify(parsed.job), "stem"), parsed);
      }),
      { numRuns: 500 },
    );
    assert.ok(jobs > 25, `only ${jobs} of 500 were jobs`);
  });

  it("is judged alike by the parser and by the published JSON Schema", () => {
    // zod reads `propertyNames` only in part; the three names it forbids have their own cases above.
    const published: unknown = JSON.parse(readSchema("job.v1.schema.json"), (key, value: unknown) =>
      key === "propertyNames" ? undefined : value,
    );
    assert.ok(isJsonSchema(published));
    const schema = z.fromJSONSchema(published);
    fc.assert(
      fc.property(nearlyJob, (value) => {
        assert.equal(schema.safeParse(value).success, parseJob(JSON.stringify(value), "stem").ok);
      }),
      { numRuns: 500 },
    );
    for (const stem of listStems("valid"))
      assert.ok(schema.safeParse(parsePlain(readJob("valid", stem))).success, stem);
  });
});

describe("verdict files", () => {
  const verdict = {
    schema: 1,
    id: "a1",
    hook: "h",
    transcript: "/t.jsonl",
    transcript_key: "0f1e2d3c4b5a6978",
    outcome: "clean",
    on_hit: "ok",
    reason: "not true: ok",
    runner: "claude",
    mode: "default",
    answer: { ok: false },
    attempts: [
      { runner: "codex", ok: false, reason: "not installed", duration_ms: 0 },
      { runner: "claude", ok: true, reason: "answered", duration_ms: 812.5 },
    ],
    finished_at: "2026-01-31T09:30:00.000Z",
    "x-extra": [1],
  };

  it("are read with every key kept", () => {
    assert.deepEqual(parseVerdict(JSON.stringify(verdict)), { ok: true, verdict });
    const unchecked = { ...verdict, outcome: "unchecked", runner: null, answer: null, attempts: [] };
    assert.deepEqual(parseVerdict(JSON.stringify(unchecked)), { ok: true, verdict: unchecked });
  });

  const cases: [name: string, change: Record<string, unknown>, code: string, reason: string][] = [
    ["a newer format", { schema: 2 }, "unsupported_schema", "expected `schema` to be 1, got 2 (number)"],
    ["no format", { schema: undefined }, "invalid", "expected `schema` to be 1, got nothing"],
    [
      "an outcome of its own",
      { outcome: "maybe" },
      "invalid",
      '`outcome` to be "hit", "clean" or "unchecked", got "maybe"',
    ],
    [
      "a wrong attempt",
      { attempts: [{ ...verdict.attempts[0], ok: 1 }] },
      "invalid",
      "`attempts[0].ok` to be true or false, got 1",
    ],
    [
      "a time run backwards",
      { attempts: [{ ...verdict.attempts[0], duration_ms: -1 }] },
      "invalid",
      "a number, 0 or more, got -1",
    ],
    ["no runner key", { runner: undefined }, "invalid", "expected `runner` to be a string or null, got nothing"],
    ["a reason of 301", { reason: "r".repeat(301) }, "invalid", "`reason` to be a string of at most 300 characters"],
    ["a report of 601", { report: "r".repeat(601) }, "invalid", "`report` to be a string of at most 600 characters"],
    ["a constructor", { constructor: "x" }, "invalid", "expected no key named `constructor`"],
  ];
  for (const [name, change, code, reason] of cases) {
    it(`are refused for ${name}`, () => {
      const parsed = parseVerdict(JSON.stringify({ ...verdict, ...change }));
      assert.ok(!parsed.ok);
      assert.equal(parsed.code, code);
      assert.ok(parsed.reason.includes(reason), parsed.reason);
    });
  }

  it("are refused when cut off or not an object", () => {
    const cut = parseVerdict(JSON.stringify(verdict).slice(0, 50));
    assert.ok(!cut.ok && cut.code === "invalid_json");
    const list = parseVerdict("[]");
    assert.ok(!list.ok && list.code === "not_an_object");
  });
});

describe("published JSON Schemas", () => {
  for (const [name, schema] of Object.entries(getJsonSchemas())) {
    it(`${name} is what the code says (else run: node --import tsx tests/helpers/write-schemas.ts)`, () => {
      assert.equal(readSchema(name), `${JSON.stringify(schema, null, 2)}\n`);
    });
  }

  it("name their draft and themselves, allow unknown keys and make keys with defaults optional", () => {
    const job = parsePlain(readSchema("job.v1.schema.json"));
    assert.equal(job["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert.equal(job["$id"], "urn:catstack:job:v1");
    const [question, evidence, ...others] = getBranches(job);
    assert.deepEqual(question?.["required"], ["hook", "transcript", "on_hit", "prompt"]);
    assert.deepEqual(evidence?.["required"], ["hook", "transcript", "on_hit", "answer"]);
    assert.deepEqual([question["additionalProperties"], evidence["additionalProperties"], others], [{}, {}, []]);
  });

  it("describe every key of a job", () => {
    for (const branch of getBranches(parsePlain(readSchema("job.v1.schema.json")))) {
      const { properties } = branch;
      assert.ok(isObject(properties));
      assert.ok(Object.keys(properties).length > 15);
      for (const [key, field] of Object.entries(properties)) {
        assert.ok(isObject(field) && typeof field["description"] === "string", key);
      }
    }
  });
});

describe("the README of the contract", () => {
  const readme = readFileSync(new URL("README.md", schemaDir), "utf8");
  const rows = readme.split("\n").filter((line) => line.startsWith("| `"));

  it("has a row for every key of a job, a verdict and an attempt", () => {
    const [question, evidence] = getBranches(parsePlain(readSchema("job.v1.schema.json")));
    const verdict = parsePlain(readSchema("verdict.v1.schema.json"));
    const fields = [question?.["properties"], evidence?.["properties"], verdict["properties"]];
    const keys = fields.flatMap((properties) => Object.keys(properties ?? {}));
    assert.ok(keys.length > 50);
    for (const key of keys)
      assert.ok(
        rows.some((row) => row.split("|")[1]?.includes(`\`${key}\``)),
        key,
      );
    for (const key of ["runner", "ok", "reason", "duration_ms"]) assert.ok(readme.includes(`\`${key}\``), key);
  });

  it("states the limits of the code", () => {
    for (const bytes of [MAX_JOB_BYTES, MAX_PROMPT_BYTES]) assert.ok(readme.includes(bytes.toLocaleString("en-US")));
  });

  it("shows jobs and settings that are valid", () => {
    const [job, settings] = [...readme.matchAll(/```json\n(.*?)```/gs)].map((match) => match[1] ?? "");
    assert.equal(parseJob(job ?? "", "x").ok, true);
    assert.equal(parseSettingsFile(settings ?? "").ok, true);
  });
});

function getBranches(schema: Record<string, unknown>): Record<string, unknown>[] {
  const { anyOf } = schema;
  assert.ok(Array.isArray(anyOf));
  return anyOf.filter(isObject);
}

function listStems(kind: "valid" | "invalid"): string[] {
  return readdirSync(new URL(`${kind}/`, jobsDir))
    .map((name) => name.replace(/\.json$/, ""))
    .sort();
}

function readJob(kind: "valid" | "invalid", stem: string): string {
  return readFileSync(new URL(`${kind}/${encodeURIComponent(stem)}.json`, jobsDir), "utf8");
}

function readSchema(name: string): string {
  return readFileSync(new URL(name, schemaDir), "utf8");
}

function parsePlain(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
  assert.ok(isObject(value));
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isJsonSchema(value: unknown): value is z.core.JSONSchema.JSONSchema {
  return isObject(value) && value["anyOf"] !== undefined;
}

function getJob(text: string, stem: string) {
  const parsed = parseJob(text, stem);
  assert.ok(parsed.ok, parsed.ok ? "" : parsed.reason);
  return parsed.job;
}

function getRefusal(text: string, stem: string) {
  const parsed = parseJob(text, stem);
  assert.ok(!parsed.ok, "expected it to be refused");
  return parsed;
}
