import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { parseSettingsFile } from "../../inbox-schema/parse-settings.ts";
import { readJudgeSettings } from "../../judge/settings.ts";
import { listUnknownVariables } from "../../cli/unknown-variables.ts";
import { readHookSettings } from "../../lib/io/settings.ts";
import { getHookMode, isJudgeChild, isKilled, noSettings, parseSettings } from "../../lib/settings.ts";

const dir = mkdtempSync(join(tmpdir(), "catstack-settings-"));
after(() => rmSync(dir, { recursive: true }));

/** A settings file: what the hooks make of it and what the watcher makes of it; any text but `read` is part of a reason. */
const files: { text: string; hooks: Record<string, string> | string; watcher: string }[] = [
  { text: "{}", hooks: {}, watcher: "read" },
  { text: "\uFEFF{}\r\n", hooks: {}, watcher: "read" },
  { text: '{"hooks": {}}', hooks: {}, watcher: "read" },
  { text: '{"hooks": {"a": {}}}', hooks: {}, watcher: "read" },
  { text: '{"hooks": {"a": {"mode": "off"}}}', hooks: { a: "off" }, watcher: "read" },
  {
    text: '{"$schema": "s", "hooks": {"a": {"mode": "observe", "x": 1}, "b-c": {"mode": "advise"}}, "y": null}',
    hooks: { a: "observe", "b-c": "advise" },
    watcher: "read",
  },
  { text: '{"hooks": {"constructor": {"mode": "off"}}}', hooks: { constructor: "off" }, watcher: "read" },
  { text: '{"hooks": {"__proto__": {"mode": "off"}}}', hooks: {}, watcher: "read" },
  { text: '{"hooks": {"__proto__": 5}}', hooks: {}, watcher: "read" },
  { text: '{"__proto__": {"hooks": 5}}', hooks: {}, watcher: "read" },
  { text: '{"hooks": {"a": {"mode": "off"}}, "hooks": {}}', hooks: {}, watcher: "read" },
  {
    text: '{"hooks": null}',
    hooks: "`hooks` to be an object of hook ids, got null",
    watcher: "`hooks` to be an object of hook ids, got null",
  },
  {
    text: '{"hooks": []}',
    hooks: "`hooks` to be an object of hook ids, got an array",
    watcher: "`hooks` to be an object of hook ids, got an array",
  },
  {
    text: '{"hooks": {"a": "off"}}',
    hooks: '`hooks.a` to be an object, got "off" (string)',
    watcher: '`hooks.a` to be an object, got "off" (string)',
  },
  {
    text: '{"hooks": {"a": {"mode": "Off"}}}',
    hooks: '`hooks.a.mode` to be "off", "observe" or "advise", got "Off" (string)',
    watcher: '`hooks.a.mode` to be "off", "observe" or "advise", got "Off" (string)',
  },
  { text: '{"hooks": {"a": {"mode": null}}}', hooks: "`hooks.a.mode` to be", watcher: "`hooks.a.mode` to be" },
  { text: '{"hooks": {"a": {"mode": false}}}', hooks: "got false (boolean)", watcher: "got false (boolean)" },
  { text: "[]", hooks: "one JSON object, got an array", watcher: "one JSON object, got an array" },
  { text: "null", hooks: "one JSON object, got null", watcher: "one JSON object, got null" },
  { text: "", hooks: "expected JSON", watcher: "expected JSON" },
  { text: "{} // off for now", hooks: "expected JSON without comments", watcher: "expected JSON without comments" },
  { text: '{"hooks": {},}', hooks: "expected JSON", watcher: "expected a key in double quotes, got `}`" },
  // Not the hooks' business: a wrong limit of the watcher must not turn a silenced hook on.
  {
    text: '{"judge": 5, "hooks": {"a": {"mode": "off"}}}',
    hooks: { a: "off" },
    watcher: "`judge` to be an object, got 5",
  },
  { text: '{"$schema": 5}', hooks: {}, watcher: "`$schema` to be a string, got 5 (number)" },
];

describe("the settings file", () => {
  for (const { text, hooks, watcher } of files) {
    it(`${JSON.stringify(text)} means the same to hooks and watcher`, () => {
      const byHooks = parseSettings(text);
      if (typeof hooks === "string") {
        assert.ok(!byHooks.ok);
        assert.ok(byHooks.reason.includes(hooks), byHooks.reason);
      } else {
        assert.ok(byHooks.ok);
        assert.deepEqual([...byHooks.settings.modes], Object.entries(hooks));
      }
      const byWatcher = parseSettingsFile(text);
      if (watcher === "read") {
        assert.ok(byWatcher.ok);
        assert.deepEqual(getModes(byWatcher.settings.hooks), hooks);
      } else {
        assert.ok(!byWatcher.ok);
        assert.ok(byWatcher.reason.includes(watcher), byWatcher.reason);
      }
    });
  }

  it("is never read differently by the two, whatever its hooks say", () => {
    const mode = fc.oneof(fc.constantFrom("off", "observe", "advise", "Off", null), fc.jsonValue({ maxDepth: 1 }));
    const hook = fc.oneof(fc.record({ mode }, { requiredKeys: [] }), fc.jsonValue({ maxDepth: 1 }));
    const hooks = fc.oneof(fc.dictionary(fc.constantFrom("a", "b", "__proto__", "toString"), hook), fc.jsonValue());
    fc.assert(
      fc.property(fc.oneof(fc.record({ hooks }), fc.jsonValue()), fc.nat(3), (value, cut) => {
        const json = JSON.stringify(value);
        const text = json.slice(0, json.length - (cut === 3 ? 1 : 0));
        const [byHooks, byWatcher] = [parseSettings(text), parseSettingsFile(text)];
        if (byHooks.ok && byWatcher.ok) {
          assert.deepEqual(Object.fromEntries(byHooks.settings.modes), getModes(byWatcher.settings.hooks));
        } else if (byHooks.ok && !byWatcher.ok) assert.match(byWatcher.reason, /^expected `(judge|\$schema)/);
        else assert.equal(byHooks.ok, byWatcher.ok);
      }),
      { numRuns: 500 },
    );
  });
});

describe("a hook's mode", () => {
  const file = { modes: new Map([["verdict-flip-watch", "observe"] as const]) };
  const name = "CATSTACK_HOOK_MODE_VERDICT_FLIP_WATCH";

  it("comes from the environment, else the file, else the hook", () => {
    assert.deepEqual(getHookMode("verdict-flip-watch", "advise", { [name]: "off" }, file), { mode: "off" });
    assert.deepEqual(getHookMode("verdict-flip-watch", "advise", {}, file), { mode: "observe" });
    assert.deepEqual(getHookMode("verdict-flip-watch", "advise", { [name]: "" }, file), { mode: "observe" });
    assert.deepEqual(getHookMode("verdict-flip-watch", "advise", {}, noSettings), { mode: "advise" });
    assert.deepEqual(getHookMode("another", "off", { [name]: "advise" }, file), { mode: "off" });
  });

  it("is understood in capitals and with spaces around", () => {
    assert.deepEqual(getHookMode("verdict-flip-watch", "advise", { [name]: " OFF\n" }, file), { mode: "off" });
  });

  it("falls back with a warning of one line when the environment says something else", () => {
    assert.deepEqual(getHookMode("verdict-flip-watch", "advise", { [name]: "warn\nme" }, file), {
      mode: "observe",
      warning: `expected ${name} to be off, observe or advise, got "warn\\nme" (string); using observe`,
    });
  });
});

describe("switches in the environment", () => {
  it("CATSTACK=off kills every hook and no other value does", () => {
    for (const value of ["off", "OFF", " off "]) assert.equal(isKilled({ CATSTACK: value }), true, value);
    for (const value of [undefined, "", "on", "0", "offline"])
      assert.equal(isKilled({ CATSTACK: value }), false, value);
  });

  it("one that means nothing is noted, with the nearest that does, and one of others is not", () => {
    const env = {
      CATSTACK: "on",
      CATSTACK_HOOK_MODE_DIU_STOP: "off",
      CATSTACK_HOOK_MODE_DIU_STAP: "off",
      CATSTACK_HOOK_MODE_ZZZ: "off",
      CATSTACK_HOOK_MODE_: "",
      CATSTACK_LLM_JUDGE_RUNERS: "[]",
      CATSTACK_LLM_JUDGE_STATE_DIR: "/s",
      CATSTACK_LLM_JUDGE_CHILD: "1",
      CATSTACK_HOME: "/c",
      MY_CATSTACK_HOOK_MODE_DIU_STAP: "off",
    };
    assert.deepEqual(listUnknownVariables(env, ["diu-stop", "verdict-flip-watch"]), [
      "unknown variable CATSTACK_HOOK_MODE_DIU_STAP; did you mean CATSTACK_HOOK_MODE_DIU_STOP?",
      "unknown variable CATSTACK_HOOK_MODE_ZZZ; this version has CATSTACK_HOOK_MODE_DIU_STOP, CATSTACK_HOOK_MODE_VERDICT_FLIP_WATCH",
      "unknown variable CATSTACK_LLM_JUDGE_RUNERS; did you mean CATSTACK_LLM_JUDGE_RUNNERS?",
    ]);
  });

  it("a judge's child is marked by anything but nothing and 0", () => {
    for (const value of ["1", "true", "00", " "]) assert.equal(isJudgeChild({ CATSTACK_LLM_JUDGE_CHILD: value }), true);
    for (const value of [undefined, "", "0"]) assert.equal(isJudgeChild({ CATSTACK_LLM_JUDGE_CHILD: value }), false);
  });
});

describe("hooks reading the file", () => {
  it("use the defaults, silently, when there is none", () => {
    assert.deepEqual(readHookSettings(join(dir, "none", "config.json")), { settings: noSettings });
  });

  it("use what it says", () => {
    const path = writeFile("good.json", '{"hooks": {"a": {"mode": "off"}}}');
    assert.deepEqual(readHookSettings(path), { settings: { modes: new Map([["a", "off"]]) } });
  });

  it("use the defaults and warn in one line when it is broken", () => {
    const path = writeFile("broken.json", '{"hooks":\n\n{"a": off}}');
    const { settings, warning } = readHookSettings(path);
    assert.deepEqual(settings, noSettings);
    assert.match(
      warning ?? "",
      /^expected JSON without comments, got a SyntaxError: .*broken\.json\); using the defaults/,
    );
  });

  it("refuse a folder and a file too large to be settings", () => {
    mkdirSync(join(dir, "folder.json"));
    assert.match(readHookSettings(join(dir, "folder.json")).warning ?? "", /expected a file, got something else/);
    const large = writeFile("large.json", "{}".padEnd(1024 * 1024 + 1));
    assert.match(readHookSettings(large).warning ?? "", /^expected at most 1048576 bytes, got 1048577/);
  });

  it("never wait for a named pipe", () => {
    const pipe = join(dir, "pipe.json");
    execFileSync("sh", ["-c", 'mkfifo "$0"', pipe]);
    const module = new URL("../../lib/io/settings.ts", import.meta.url).href;
    const script = `import { readHookSettings } from ${JSON.stringify(module)};
      console.log(readHookSettings(${JSON.stringify(pipe)}).warning);`;
    const child = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      encoding: "utf8",
      timeout: 20_000,
    });
    assert.match(child.stdout, /expected a file, got something else/);
  });
});

describe("the watcher reading the file", () => {
  const defaults = {
    concurrency: 2,
    jobsPerHour: 60,
    jobsPerDay: 400,
    hookShare: 0.75,
    maxWaiting: 1000,
    tripPerMinute: 120,
    runners: {},
  };

  it("has defaults for everything", () => {
    assert.deepEqual(readJudgeSettings(join(dir, "none.json")), { ok: true, settings: defaults, notes: [] });
    assert.deepEqual(readJudgeSettings(writeFile("judge.json", '{"judge": {}}')), {
      ok: true,
      settings: defaults,
      notes: [],
    });
  });

  it("notes a key that it does not know, with the nearest one", () => {
    const read = readJudgeSettings(writeFile("misspelled.json", '{"judge": {"jobs_per_huor": 9}}'));
    const notes = ["unknown key judge.jobs_per_huor; did you mean jobs_per_hour?"];
    assert.deepEqual(read, { ok: true, settings: defaults, notes });
  });

  it("notes what else has a name that means nothing, at every level, and no hook where nobody says which there are", () => {
    const text = JSON.stringify({
      $schema: "x",
      hook: {},
      hooks: { "diu-stap": { mode: "advise" }, "diu-stop": { mod: "advise" }, zzz: {} },
      judge: { runners: { defualt: [["mine", ["my-cli"]]] } },
    });
    const path = writeFile("misspelled-hooks.json", text);
    const others = [
      "unknown key hook; did you mean hooks?",
      "unknown key hooks.diu-stop.mod; did you mean mode?",
      "unknown key judge.runners.defualt; did you mean default?",
    ];
    const unknown = [
      "unknown hook diu-stap; did you mean diu-stop?",
      "unknown hook zzz; this version has diu-stop, verdict-flip-watch",
    ];
    assert.deepEqual(readJudgeSettings(path), { ok: true, settings: defaults, notes: others });
    const read = readJudgeSettings(path, ["diu-stop", "verdict-flip-watch"]);
    assert.deepEqual(read, { ok: true, settings: defaults, notes: [...unknown, ...others] });
  });

  it("takes limits, zero among them, and runner sets", () => {
    const runners = { investigate: [["mine", ["my-cli", "--ask", "{prompt}"]]] };
    const judge = { concurrency: 16, jobs_per_hour: 0, jobs_per_day: 1_000_000, runners };
    const more = { hook_share: 1, max_waiting: 0, trip_per_minute: 0 };
    assert.deepEqual(readJudgeSettings(writeFile("limits.json", JSON.stringify({ judge: { ...judge, ...more } }))), {
      ok: true,
      settings: {
        concurrency: 16,
        jobsPerHour: 0,
        jobsPerDay: 1_000_000,
        hookShare: 1,
        maxWaiting: 0,
        tripPerMinute: 0,
        runners,
      },
      notes: [],
    });
  });

  const broken: [text: string, reason: string][] = [
    [
      '{\n  "judge": {\n    "concurrency": 17\n  }\n}',
      "`judge.concurrency` to be a whole number from 1 to 16, got 17 (number) at line 3, column 20",
    ],
    ['{"judge": {"concurrency": 1.5}}', "got 1.5 (number) at line 1, column 27"],
    [
      '{"judge":\r\n{"jobs_per_hour": -1}}',
      "`judge.jobs_per_hour` to be a whole number from 0 to 1000000, got -1 (number) at line 2, column 19",
    ],
    ['{"judge": {"jobs_per_day": "400"}}', 'got "400" (string) at line 1, column 28'],
    ['{"judge": {"hook_share": 0}}', "`judge.hook_share` to be a number above 0 and at most 1, got 0 (number)"],
    ['{"judge": {"hook_share": 1.5}}', "got 1.5 (number) at line 1, column 26"],
    ['{"judge": {"max_waiting": 2.5}}', "`judge.max_waiting` to be a whole number from 0 to 1000000, got 2.5"],
    ['{"judge": {"trip_per_minute": -1}}', "`judge.trip_per_minute` to be a whole number from 0 to 1000000, got -1"],
    ['{"judge": {"jobs_per_day": 1}, "judge": {"jobs_per_day": true}}', "got true (boolean) at line 1, column 58"],
    [
      '{"judge": {"runners": {"default": []}}}',
      "`judge.runners.default` to be an array of one or more pairs [name, [argv...]], got an array of 0 items at line 1, column 35",
    ],
    [
      '{"judge": {"runners": {"default": [["a", ["b"]], ["c"]]}}}',
      "`judge.runners.default[1]` to be a pair [name, [argv...]], got an array of 1 item at line 1, column 50",
    ],
    [
      '{"judge": {"runners": {"default": [["a", []]]}}}',
      "`judge.runners.default[0][1]` to be an array of one or more strings",
    ],
    [
      '{"hooks": {"a": {"mode": "deep"}}}',
      '`hooks.a.mode` to be "off", "observe" or "advise", got "deep" (string) at line 1, column 26',
    ],
    ['\uFEFF{\n "judge": {},\n}', "expected a key in double quotes, got `}` at line 3, column 1"],
    ["", "the file is empty, at line 1, column 1"],
    ["  []", "one JSON object, got an array of 0 items at line 1, column 3"],
    ["/* c */ {}", "expected JSON without comments, got `/* c */` at line 1, column 1"],
  ];
  for (const [text, reason] of broken) {
    it(`says where ${JSON.stringify(text)} is wrong`, () => {
      const path = writeFile("watcher.json", text);
      const result = readJudgeSettings(path);
      assert.ok(!result.ok);
      assert.ok(result.reason.includes(reason), result.reason);
      assert.ok(result.reason.endsWith(`(${path})`), result.reason);
    });
  }

  it("says which file cannot be read", () => {
    const path = join(dir, "folder2");
    mkdirSync(path);
    assert.deepEqual(readJudgeSettings(path), {
      ok: false,
      reason: `expected a file, got something else (${path})`,
    });
  });
});

function writeFile(name: string, text: string): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
}

function getModes(hooks: Record<string, { mode?: string | undefined }> | undefined): Record<string, string> {
  const modes: Record<string, string> = {};
  for (const [id, { mode }] of Object.entries(hooks ?? {})) if (mode !== undefined) modes[id] = mode;
  return modes;
}
