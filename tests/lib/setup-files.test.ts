import assert from "node:assert/strict";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import {
  array as listOf,
  assert as assertProperty,
  constant,
  constantFrom,
  dictionary,
  jsonValue,
  nat,
  option,
  property,
  record,
  string,
  tuple,
} from "fast-check";
import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { Failure } from "../../cli/failure.ts";
import { clients } from "../../cli/setup/clients.ts";
import { addNotify } from "../../cli/setup/codex-notify.ts";
import { diffLines } from "../../cli/setup/diff.ts";
import { claudeFormat, codexFormat, cursorFormat } from "../../cli/setup/formats.ts";
import { addHooks, removeHooks } from "../../cli/setup/hook-entries.ts";
import { planClientUninstall } from "../../cli/setup/plan-client-removal.ts";
import { planClientInstall } from "../../cli/setup/plan-client.ts";
import { SettingsChanged } from "../../cli/setup/settings-file.ts";
import type { Step } from "../../cli/setup/step.ts";
import { array, object, text } from "../helpers/foreign.ts";

type Name = "settings.json" | "codex/hooks.json" | "config.toml" | "cursor/hooks.json";

/** Each kind of file: whose it is, and where. */
const kinds = {
  "settings.json": { client: "claude", path: ".claude/settings.json", format: claudeFormat },
  "codex/hooks.json": { client: "codex", path: ".codex/hooks.json", format: codexFormat },
  "config.toml": { client: "codex", path: ".codex/config.toml", format: codexFormat },
  "cursor/hooks.json": { client: "cursor", path: ".cursor/hooks.json", format: cursorFormat },
} as const;

/** A home directory with one file of settings in it, and built files to link to. */
interface Home {
  readonly path: string;
  readonly file: string;
  readonly planInstall: () => readonly Step[];
  readonly planUninstall: () => readonly Step[];
  readonly install: () => void;
  readonly uninstall: () => void;
  /** All that is below the home: content, link or folder, with its mode; and when it was last written. */
  list(): Record<string, string>;
  listTimes(): Record<string, number>;
}

function makeHome(t: TestContext, kind: Name, content: string | Buffer | undefined): Home {
  const folder = mkdtempSync(join(tmpdir(), "catstack-setup-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "home");
  const file = join(path, kinds[kind].path);
  mkdirSync(dirname(file), { recursive: true });
  if (content !== undefined) writeFileSync(file, content);
  const dist = join(folder, "dist");
  mkdirSync(dist);
  for (const name of ["hook.mjs", "catstack.mjs"]) writeFileSync(join(dist, name), "");
  const client = clients.find(({ name }) => name === kinds[kind].client) ?? assert.fail(`no client for ${kind}`);
  const env = { HOME: path };
  const planInstall = (): readonly Step[] => planClientInstall(client, env, dist);
  const planUninstall = (): readonly Step[] => planClientUninstall(client, env, dist);
  const walk = (): string[] => readdirSync(path, { recursive: true, encoding: "utf8" }).sort();
  return {
    path,
    file,
    planInstall,
    planUninstall,
    install: () => runAll(planInstall()),
    uninstall: () => runAll(planUninstall()),
    list: () => Object.fromEntries(walk().map((name) => [name, describe(join(path, name))])),
    listTimes: () => Object.fromEntries(walk().map((name) => [name, lstatSync(join(path, name)).mtimeMs])),
  };
}

function runAll(steps: readonly Step[]): void {
  for (const step of steps) step.run?.();
}

function describe(path: string): string {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  const mode = (stat.mode & 0o7777).toString(8);
  return stat.isDirectory() ? `${mode} /` : `${mode} ${readFileSync(path, "latin1")}`;
}

/** In every command of ours. */
const LAUNCH = /hooks\/catstack\/launch/;

/** The commands under each event of a JSON file, ours as `ours`. */
function readCommands(kind: Name, file: string): Record<string, string[]> {
  const { hooks } = object(
    parseJson(readFileSync(file, "utf8").replace(/^\uFEFF/, ""), [], { allowTrailingComma: true }),
  );
  const flat = kind === "cursor/hooks.json";
  const name = (entry: unknown): string => {
    const command = text(object(entry)["command"] ?? object(entry)["prompt"]);
    return LAUNCH.test(command) ? "ours" : command;
  };
  const list = (items: unknown): string[] =>
    flat ? array(items).map(name) : array(items).flatMap((group) => array(object(group)["hooks"] ?? []).map(name));
  return Object.fromEntries(Object.entries(object(hooks)).map(([event, items]) => [event, list(items)]));
}

function readNotify(file: string): string[] {
  return array(
    parseToml(readFileSync(file, "utf8").replace(/^\uFEFF/, ""), { integersAsBigInt: "asNeeded" })["notify"],
  ).map(text);
}

/** What each file must hold once we are in it. */
function expectInstalled(kind: Name, file: string): void {
  if (kind === "config.toml") {
    assert.equal(readNotify(file).filter((item) => LAUNCH.test(item)).length, 1);
    return;
  }
  const commands = readCommands(kind, file);
  for (const event of kinds[kind].format.events)
    assert.equal(commands[event]?.filter((command) => command === "ours").length, 1, event);
}

const theirs = '{"type": "command", "command": "echo theirs"}';
/** Hooks are off: only `notify` is left. */
const off = "features.hooks = false\n";
const big = (unit: string): string => unit.repeat(Math.ceil((1024 * 1024) / unit.length));

/** Files that come back byte for byte; undefined: there is none. */
const survivors: Readonly<Record<Name, Readonly<Record<string, string | undefined>>>> = {
  "settings.json": {
    "no file": undefined,
    "an empty file": "",
    "a line end alone": "\n",
    "an empty object": "{}",
    "an empty object of two lines": "{\n}\n",
    "no hooks": '{"hooks":{}}',
    "no hooks, with blanks": '{ "hooks" : { } , "model" : "opus" }\n',
    "an empty list of an event": '{\n  "hooks": {\n    "Stop": [ ]\n  }\n}\n',
    "an empty list of an event that we do not use": '{"hooks": {"PreCompact": []}}',
    "two spaces": `{\n  "model": "opus",\n  "hooks": {\n    "Stop": [\n      {\n        "matcher": "",\n        "hooks": [\n          ${theirs}\n        ]\n      }\n    ]\n  }\n}\n`,
    "four spaces": '{\n    "model": "opus"\n}\n',
    tabs: '{\n\t"model": "opus",\n\t"permissions": {\n\t\t"allow": []\n\t}\n}\n',
    "CRLF without a last line end": '{\r\n  "model": "opus"\r\n}',
    "no last line end": '{\n  "model": "opus"\n}',
    "one line": `{"hooks": {"Stop": [{"hooks": [${theirs}]}]}, "model": "opus"}`,
    "one line within many": `{\n  "hooks": {"Stop": [{"hooks": [${theirs}]}]},\n  "model": "opus"\n}\n`,
    "comments everywhere":
      '// mine\n{\n  /* before */ "model": "opus", // the good one\n  "hooks": {\n    // none yet, { not: "json" }\n    "Stop": [ // later, maybe\n      {"hooks": []} // empty\n    ] // end\n  } // hooks, done\n  // last\n}\n// after\n',
    "trailing commas": '{\n  "hooks": {\n    "Stop": [\n      {"hooks": [],},\n    ],\n  },\n}\n',
    "a byte order mark": '\uFEFF{\n  "model": "opus"\n}\n',
    "unknown keys": '{"$schema": "x", "zz": {"hooks": null}, "statusLine": 3}',
    "escapes and other characters": '{\n  "zz": {"ünïcode": "\\u00e9 é 🐈 \\/"},\n  "hooks": {"PreCompact": []}\n}\n',
    "`hooks` written with escapes": `{"\\u0068ooks": {"St\\u006fp": [{"hooks": [${theirs}]}]}}`,
    "another key twice": '{"model": "opus", "model": "haiku"}',
    "a megabyte": `{\n  "notes": "${big("long ")}",\n  "model": "opus"\n}\n`,
    "a megabyte of lines": `{\n${big('  "k": [1, 2],\n')}  "model": "opus"\n}\n`,
    "a nesting of 150": `{"x": ${"[".repeat(150)}${"]".repeat(150)}}`,
    "groups without hooks": '{"hooks": {"Stop": [{"matcher": "x"}, {}]}}',
    "prompts of theirs": '{"hooks": {"Stop": [{"hooks": [{"type": "prompt", "prompt": "is it done?"}]}]}}',
  },
  "codex/hooks.json": {
    "no file": undefined,
    "an empty object": "{}\n",
    "no hooks": '{"hooks": {}}',
    "hooks of theirs": `{\n  "description": "mine",\n  "hooks": {\n    "Stop": [\n      { "hooks": [${theirs}] }\n    ],\n    "PreToolUse": []\n  }\n}\n`,
    "hooks of theirs in CRLF": `{\r\n\t"hooks": {\r\n\t\t"UserPromptSubmit": [{"hooks": [${theirs}]}]\r\n\t}\r\n}\r\n`,
  },
  "cursor/hooks.json": {
    "no file": undefined,
    "an empty file": "",
    "no version": '{"hooks": {}}',
    "a version alone": '{\n  "version": 1\n}\n',
    "hooks of theirs": `{\n  "version": 1,\n  "hooks": {\n    "stop": [{ "command": "./theirs.sh" }],\n    "afterFileEdit": [\n      { "command": "fmt", "timeout": 3 }\n    ]\n  }\n}\n`,
    "comments and no version": '{ // mine\n  "hooks": {"stop": [/* none */]}\n}',
  },
  "config.toml": {
    "hooks off, in a line": off,
    "hooks off, in a table": "[features]\nhooks = false\n",
    "hooks off by their old name": "# my settings\n\n[features]\ncodex_hooks = false\n",
    "no last line end": "features.hooks = false",
    CRLF: "model = 'x'\r\n\r\n[features]\r\nhooks = false\r\n",
    "a byte order mark": `\uFEFF${off}`,
    "a schema on top": "#:schema https://example.test/config.json\n# mine\n[features]\nhooks = false\n",
    "a program of theirs": `${off}notify = ["notify-send", "Codex"]\n`,
    "an empty list": `${off}notify = [ ]\n`,
    "single quotes": `${off}notify = ['it "is"', 'done']\n`,
    "a list of many lines with comments": `${off}notify = [ # mine ] , "\n  "python3", # ["x"]\n  '/home/me/it, is].py',\n\n]\n[tui]\nnotifications = true\n`,
    "a key in quotes and blanks": `${off}  "notify"  =  [ "x" ] # why\n`,
    "texts of many lines": `${off}notify = ["""\n]\nnotify = []\n""", '''a''']\n`,
    "`notify` inside a table": "[features]\nhooks = false\n[tui]\nnotify = ['theirs']\n",
    "`notify` inside a text": `${off}about = '''\nnotify = ["no"]\n[table]\n'''\n`,
    "a key of lists before a table": `${off}a = [\n  [1],\n  [2],\n]\n# of the table\n[[b]]\nc = 1 # [x]\n`,
    "inline tables and dates": `${off}x = { notify = [1] }\nd = 1979-05-27T07:32:00Z\nn = [{ a = 1 }]\n`,
    "a megabyte": `${off}long = "${big("long ")}"\nnotify = ["x"]\n`,
    "escapes and other characters": `${off}"ünïcode" = "\\u00e9 🐈"\nnotify = ["\\u0061", "é"]\n`,
    "a megabyte of tables that hold a `notify`": `${off}${big("[[a]]\nnotify = ['x']\n")}`,
    "a megabyte of lists in lists": `${off}a = [\n${big("[1],\n")}]\n[b]\nnotify = 1\n`,
    "numbers of 64 bits": `${off}big = 9223372036854775807\nlow = -9223372036854775808\n`,
    "quotes at the ends of texts": `${off}a = """x\\""""""\nb = '''y'''''\nc = '\\'\nnotify = ["\\"", '#', "]",] # ]\n`,
    "keys with points and quotes": `${off}tui.notify = ["no"]\n"a=b#c".'notify' = ["no"]\nnotify=['x']\n`,
    "an inline table of many texts": `x = { a = "}", b = [ { c = '[' } ] } # {\n${off}`,
  },
};

for (const [kind, files] of entries(survivors)) {
  for (const [name, content] of Object.entries(files)) {
    test(`${kind} with ${name}: installed twice it changes once, and uninstalled it is as it was`, (t) => {
      const home = makeHome(t, kind, content);
      const before = home.list();
      home.install();
      expectInstalled(kind, home.file);
      const added = readFileSync(home.file, "utf8");
      if (content?.includes("\r\n")) assert.doesNotMatch(added, /(?<!\r)\n/);
      else assert.doesNotMatch(added, /\r/);
      const installed = [home.list(), home.listTimes()];
      home.install();
      assert.deepEqual([home.list(), home.listTimes()], installed);
      home.uninstall();
      assert.deepEqual(home.list(), before);
    });
  }
}

function entries<Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] {
  const keys: Key[] = [];
  for (const key in record) keys.push(key);
  return keys.map((key) => [key, record[key]]);
}

const ourEntry = JSON.stringify({ type: "command", command: claudeFormat.getCommand("Stop"), timeout: 10 });
const oldEntry = '{"type": "command", "command": "sh ~/.claude/hooks/catstack/launch claude", "timeout": 30}';
const bareEntry = '{"type": "command", "command": "node /opt/my-catstack/dist/hook.mjs claude"}';
const ourPart = (event: string): string => `"${event}": [{"hooks": [${ourEntry}]}]`;

/** Files in which something of ours is already: the commands after an install, and the text after an uninstall. */
const known: Readonly<Record<string, readonly [before: string, Record<string, string[]>, after: string]>> = {
  "our entries as they are": [
    `{"hooks": {${ourPart("Stop")}, ${ourPart("UserPromptSubmit")}}, "model": "opus"}`,
    { Stop: ["ours"], UserPromptSubmit: ["ours"] },
    '{"model": "opus"}',
  ],
  "an old entry of ours with a limit of theirs": [
    `{"hooks": {"Stop": [{"matcher": "*", "hooks": [${oldEntry}]}]}}`,
    { Stop: ["ours"], UserPromptSubmit: ["ours"] },
    '{"hooks": {"Stop": [{"matcher": "*", "hooks": []}]}}',
  ],
  "the bundle called by hand": [
    `{"hooks": {"Stop": [{"hooks": [${bareEntry}, ${theirs}]}]}}`,
    { Stop: ["ours", "echo theirs"], UserPromptSubmit: ["ours"] },
    `{"hooks": {"Stop": [{"hooks": [${theirs}]}]}}`,
  ],
  "our entry three times": [
    `{"hooks": {"Stop": [{"hooks": [${oldEntry}]}, {"hooks": [${theirs}]}, {"hooks": [${ourEntry}, ${ourEntry}]}]}}`,
    { Stop: ["echo theirs", "ours"], UserPromptSubmit: ["ours"] },
    `{"hooks": {"Stop": [{"hooks": [${theirs}]}]}}`,
  ],
  "our entry under an event that we no longer use": [
    `{"hooks": {"SubagentStop": [{"hooks": [${ourEntry}]}], "PreCompact": [{"hooks": [${ourEntry}, ${theirs}]}]}}`,
    { PreCompact: ["echo theirs"], Stop: ["ours"], UserPromptSubmit: ["ours"] },
    `{"hooks": {"PreCompact": [{"hooks": [${theirs}]}]}}`,
  ],
  "our entry in a group of theirs": [
    `{"hooks": {"Stop": [{"matcher": "", "hooks": [${theirs}, ${ourEntry}]}]}}`,
    { Stop: ["echo theirs", "ours"], UserPromptSubmit: ["ours"] },
    `{"hooks": {"Stop": [{"matcher": "", "hooks": [${theirs}]}]}}`,
  ],
};

for (const [name, [before, commands, after]] of Object.entries(known)) {
  test(`settings.json with ${name}: each event holds ours once, in place, and none is left behind`, (t) => {
    const home = makeHome(t, "settings.json", before);
    home.install();
    assert.deepEqual(readCommands("settings.json", home.file), commands);
    assert.equal(readFileSync(home.file, "utf8").split(JSON.stringify(claudeFormat.getCommand("Stop"))).length - 1, 2);
    const installed = [home.list(), home.listTimes()];
    home.install();
    assert.deepEqual([home.list(), home.listTimes()], installed);
    home.uninstall();
    assert.equal(readFileSync(home.file, "utf8"), after);
  });
}

for (const command of [
  "timeout 5 sh ~/.claude/hooks/catstack/launch claude 2>/dev/null || true",
  "[ -f x ] && CATSTACK=off node /opt/catstack/dist/hook.mjs claude",
  claudeFormat.getCommand("Stop").replace("/bin/sh", "nice /bin/sh"),
]) {
  test(`our entry that the person has made \`${command}\` is renewed, and taken out`, (t) => {
    const entry = JSON.stringify({ type: "command", command });
    const home = makeHome(t, "settings.json", `{"hooks": {"Stop": [{"hooks": [${theirs}, ${entry}]}]}}`);
    home.install();
    assert.deepEqual(readCommands("settings.json", home.file)["Stop"], ["echo theirs", "ours"]);
    assert.ok(!readFileSync(home.file, "utf8").includes(JSON.stringify(command)));
    home.uninstall();
    assert.equal(readFileSync(home.file, "utf8"), `{"hooks": {"Stop": [{"hooks": [${theirs}]}]}}`);
  });
}

test("an old limit of ours stays as the person set it when the command is renewed", (t) => {
  const home = makeHome(t, "settings.json", `{"hooks": {"Stop": [{"hooks": [${oldEntry}]}]}}`);
  home.install();
  const [group] = array(object(object(parseJson(readFileSync(home.file, "utf8")))["hooks"])["Stop"]);
  const [entry] = array(object(group)["hooks"]);
  assert.deepEqual(entry, { type: "command", command: claudeFormat.getCommand("Stop"), timeout: 30 });
});

test("what the person changed between stays; the rest goes, and so does not the copy from before", (t) => {
  const home = makeHome(t, "settings.json", '{\n  "hooks": {}\n}\n');
  home.install();
  const changed = readFileSync(home.file, "utf8").replace("{", '{\n  "model": "opus", // mine');
  writeFileSync(home.file, changed);
  home.uninstall();
  assert.equal(readFileSync(home.file, "utf8"), '{\n  "model": "opus", // mine\n  "hooks": {}\n}\n');
  assert.equal(readFileSync(`${home.file}.catstack-backup`, "utf8"), '{\n  "hooks": {}\n}\n');
});

test("a file that an install made and the client has written to since stays without us", (t) => {
  const home = makeHome(t, "settings.json", undefined);
  home.install();
  writeFileSync(home.file, readFileSync(home.file, "utf8").replace("{", '{\n  "model": "opus",'));
  home.uninstall();
  assert.equal(readFileSync(home.file, "utf8"), '{\n  "model": "opus"\n}\n');
});

/** Files that are refused as they are: where, and what is said. */
const refused: Readonly<
  Record<Name, Readonly<Record<string, readonly [content: string | Buffer, place: string, RegExp]>>>
> = {
  "settings.json": {
    "a missing comma": [
      '{\n  "model": "opus"\n  "hooks": {}\n}\n',
      "3:3",
      /expected JSON, got an error \(CommaExpected\)/,
    ],
    "half a file": ['{\n  "hooks": {', "2:13", /expected JSON, got an error/],
    "an array": ["[]\n", "1:1", /expected the file to be an object, got array/],
    "a text": ['"hooks"', "1:1", /expected the file to be an object, got string/],
    "`hooks: null`": ['{\n  "hooks": null\n}\n', "2:12", /expected `hooks` to be an object, got null/],
    "a list of hooks": ['{ "hooks": [] }', "1:12", /expected `hooks` to be an object, got array/],
    "an event that is no list": [
      '{\n  "hooks": {\n    "Stop": {}\n  }\n}',
      "3:13",
      /expected `hooks.Stop` to be an array, got object/,
    ],
    "a group that is no object": [
      '{"hooks": {"Stop": ["x"]}}',
      "1:21",
      /expected each item of `hooks.Stop` to be an object, got string/,
    ],
    "a group whose hooks are none": [
      '{"hooks": {"Stop": [{"hooks": 1}]}}',
      "1:31",
      /expected `hooks` in an item of `hooks.Stop` to be an array, got number/,
    ],
    "a command of theirs in our entry": [
      `{"hooks": {"Stop": [{"hooks": [${oldEntry.replace("sh ~", "date >>log; sh ~")}]}]}}`,
      "1:32",
      /expected our command in an entry of its own, got it beside `date >>log`/,
    ],
    "a command of theirs behind our own": [
      `{"hooks": {"Stop": [{"hooks": [${ourEntry.replace("exit 0", "./theirs.sh")}]}]}}`,
      "1:32",
      /expected our command in an entry of its own, got it beside `.\/theirs.sh`/,
    ],
    "`hooks` twice in a group": [
      '{"hooks": {"Stop": [{"hooks": [], "hooks": []}]}}',
      "1:35",
      /expected one `hooks`, got a second one/,
    ],
    "a command twice": [
      `{"hooks": {"PreCompact": [{"hooks": [{"type": "command", "command": "a", "command": "b"}]}]}}`,
      "1:74",
      /expected one `command`, got a second one/,
    ],
    "`hooks` twice": ['{"hooks": {},\n "hooks": {}}', "2:2", /expected one `hooks`, got a second one/],
    "an event twice": ['{"hooks": {"Stop": [],\n"Stop": []}}', "2:1", /expected one `Stop`, got a second one/],
    "something behind its end": ["{}\n{}", "2:1", /expected JSON, got an error \(EndOfFileExpected\)/],
    "single quotes": ["{'hooks': {}}", "1:2", /expected JSON, got an error \(InvalidSymbol\)/],
    "a key without quotes": ["{\n\thooks: {}}", "2:2", /expected JSON, got an error \(InvalidSymbol\)/],
    "an open text": ['{"model": "opus}\n', "1:11", /expected JSON, got an error \(UnexpectedEndOfString\)/],
    "an open comment": ["{}\n/* mine", "2:1", /expected JSON, got an error \(UnexpectedEndOfComment\)/],
    "a wrong escape": ['{"model": "\\x"}', "1:11", /expected JSON, got an error \(InvalidEscapeCharacter\)/],
    "other bytes": [Buffer.from('{\n"a": "\xe9"}', "latin1"), "2:7", /expected UTF-8 text, got other bytes/],
    "a nesting of 20,000": [
      `{"x": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
      "1:206",
      /expected at most 200 lists and objects in each other, got more/,
    ],
    "a nesting of 20,000 that stays open": ['{"x":'.repeat(20_000), "1:1001", /expected at most 200/],
  },
  "codex/hooks.json": {
    "a comment, which Codex does not read": [
      '{\n  // mine\n  "hooks": {}\n}',
      "2:3",
      /expected JSON, got an error \(InvalidCommentToken\)/,
    ],
    "a comma behind the last item": ['{"hooks": {},}', "1:14", /expected JSON, got an error/],
    "a byte order mark, with which Codex does not read it": ["\uFEFF{}", "1:1", /expected JSON, got a byte order mark/],
  },
  "cursor/hooks.json": {
    "an event that is no list": [
      '{"version": 1, "hooks": {"stop": {}}}',
      "1:34",
      /expected `hooks.stop` to be an array, got object/,
    ],
    "a command twice": [
      '{"hooks": {"stop": [{"command": "a", "command": "b"}]}}',
      "1:38",
      /expected one `command`, got a second one/,
    ],
    "a command that is no object": [
      '{"hooks": {"stop": ["./x.sh"]}}',
      "1:21",
      /expected each item of `hooks.stop` to be an object, got string/,
    ],
  },
  "config.toml": {
    "`notify` as a text": [`${off}notify = "x"\n`, "2:1", /expected `notify` to be a list of texts/],
    "`notify` with a number": [`${off}\n  notify = ["x", 1]\n`, "3:1", /expected `notify` to be a list of texts/],
    "`notify` with a point": [`${off}a = 1\nnotify.x = 1\n`, "3:1", /expected `notify` to be a list of texts/],
    "`notify` as a table": [`${off}[a]\n[notify]\nx = 1\n`, "3:1", /expected `notify` to be a list of texts/],
    "`notify` as an inline table": [`${off}notify = {}\n`, "2:1", /expected `notify` to be a list of texts/],
    "`notify` written with escapes": [
      `${off}"\\u006eotify" = ["x"]\n`,
      "1:1",
      /expected the key written as `notify = \[...\]`/,
    ],
  },
};

for (const [kind, files] of entries(refused)) {
  for (const [name, [content, place, expected]] of Object.entries(files)) {
    test(`${kind} with ${name} is refused untouched, with the place`, (t) => {
      const home = makeHome(t, kind, content);
      const before = home.list();
      assert.throws(home.install, (error) => {
        assert.ok(error instanceof Failure);
        assert.match(error.message, expected);
        assert.ok(error.message.startsWith(`${home.file}:${place}: `), error.message);
        return true;
      });
      assert.deepEqual(home.list(), before);
    });
  }
}

/** What a person may do to the copy from before the install, and what an uninstall makes of the settings then. */
const copies: Readonly<
  Record<string, readonly [Name, before: string | undefined, copy: string | undefined, after: string]>
> = {
  "an empty object, and no copy": ["settings.json", "{}", undefined, '{\n  "hooks": {}\n}'],
  "no hooks, and no copy": ["settings.json", '{"hooks":{}}', undefined, '{"hooks":{}}'],
  "no file, and no copy": ["settings.json", undefined, undefined, '{\n  "hooks": {}\n}\n'],
  "a version, and no copy": ["cursor/hooks.json", '{"version": 1}', undefined, '{"version": 1}'],
  "a copy that is no JSON": ["cursor/hooks.json", '{"version": 1, "hooks": {}}', "{bro", '{"version": 1}'],
  "a copy of another text": ["cursor/hooks.json", '{"version": 1}', '{"x": 2}', '{"version": 1}'],
  "a copy that is empty": ["cursor/hooks.json", '{"version": 1, "x": 2}', "", '{"version": 1, "x": 2}'],
  "an empty file, and no copy": ["config.toml", off, undefined, off],
};

for (const [name, [kind, before, copy, after]] of Object.entries(copies)) {
  test(`${kind} with ${name} keeps what may be the person's own`, (t) => {
    const home = makeHome(t, kind, before);
    home.install();
    rmSync(`${home.file}.catstack-backup`);
    if (copy !== undefined) writeFileSync(`${home.file}.catstack-backup`, copy);
    home.uninstall();
    assert.equal(readFileSync(home.file, "utf8"), after);
    assert.equal(home.list()[`${kinds[kind].path}.catstack-backup`], copy === undefined ? undefined : `644 ${copy}`);
  });
}

for (const kind of ["settings.json", "codex/hooks.json", "config.toml", "cursor/hooks.json"] as const) {
  test(`${kind} that somebody else writes between our reading and our writing keeps what they wrote`, (t) => {
    const home = makeHome(t, kind, kind === "config.toml" ? off : undefined);
    const theirText = kind === "config.toml" ? `${off}x = 1\n` : '{"x": 1}\n';
    const install = home.planInstall();
    writeFileSync(home.file, theirText);
    assert.throws(() => runAll(install), SettingsChanged);
    assert.equal(readFileSync(home.file, "utf8"), theirText);
    home.install();
    const uninstall = home.planUninstall();
    const changed = `${readFileSync(home.file, "utf8")}\n`;
    writeFileSync(home.file, changed);
    assert.throws(() => runAll(uninstall), SettingsChanged);
    assert.equal(readFileSync(home.file, "utf8"), changed);
    home.uninstall();
    assert.match(readFileSync(home.file, "utf8"), kind === "config.toml" ? /^x = 1$/m : /^\{"x": 1\}/);
  });
}

test("folders that an install had to make go with it, however far up; those of the person stay", (t) => {
  const home = makeHome(t, "settings.json", undefined);
  symlinkSync("../dot/files/claude/x.json", home.file);
  mkdirSync(join(home.path, "dot"));
  const before = home.list();
  home.install();
  expectInstalled("settings.json", join(home.path, "dot", "files", "claude", "x.json"));
  home.uninstall();
  assert.deepEqual(home.list(), before);
});

test("a settings file behind links keeps them, and its mode; the copy lies beside the file itself", (t) => {
  const home = makeHome(t, "settings.json", undefined);
  const target = join(home.path, "dotfiles", "claude.json");
  mkdirSync(dirname(target));
  writeFileSync(target, '\uFEFF{\n  "model": "opus"\n}\n');
  chmodSync(target, 0o640);
  symlinkSync("../dotfiles/claude.json", home.file);
  const before = home.list();
  home.install();
  expectInstalled("settings.json", target);
  assert.equal(readlinkSync(home.file), "../dotfiles/claude.json");
  assert.match(describe(target), /^640 /);
  assert.ok(readdirSync(dirname(target)).includes("claude.json.catstack-backup"));
  home.uninstall();
  assert.deepEqual(home.list(), before);
});

test("a link that leads nowhere is followed: the file is made there, and goes again", (t) => {
  const home = makeHome(t, "cursor/hooks.json", undefined);
  const target = join(home.path, "dotfiles", "cursor.json");
  mkdirSync(dirname(target));
  symlinkSync(target, home.file);
  const before = home.list();
  home.install();
  expectInstalled("cursor/hooks.json", target);
  home.uninstall();
  assert.deepEqual(home.list(), before);
});

for (const kind of ["settings.json", "codex/hooks.json", "cursor/hooks.json"] as const) {
  test(`${kind} that nobody may write is refused untouched, and left alone where nothing is to be changed`, (t) => {
    const home = makeHome(t, kind, "{}\n");
    chmodSync(home.file, 0o444);
    const before = home.list();
    assert.throws(home.install, /expected to be allowed to write \S*\.json, got a read-only one; make it writable/);
    assert.deepEqual(home.list(), before);
    chmodSync(home.file, 0o644);
    home.install();
    chmodSync(home.file, 0o444);
    const installed = home.list();
    home.install();
    assert.throws(home.uninstall, /got a read-only one/);
    assert.deepEqual(home.list(), installed);
  });
}

test("config.toml is neither read as TOML nor touched where Codex has hooks", (t) => {
  const home = makeHome(t, "config.toml", "model = 'x'\nnotify = [\"theirs\"]\n");
  const before = readFileSync(home.file, "utf8");
  home.install();
  assert.equal(readFileSync(home.file, "utf8"), before);
  expectInstalled("codex/hooks.json", join(home.path, ".codex", "hooks.json"));
});

test("Codex's hooks that are switched off take ours out of hooks.json and put it into `notify`; switched on, the other way round", (t) => {
  const home = makeHome(t, "config.toml", `${off}notify = ["theirs"]\n`);
  const hooks = join(home.path, ".codex", "hooks.json");
  home.install();
  assert.equal(readNotify(home.file).length, 5);
  assert.equal(readNotify(home.file).at(-1), "theirs");
  writeFileSync(home.file, readFileSync(home.file, "utf8").replace("false", "true"));
  home.install();
  assert.deepEqual(readNotify(home.file), ["theirs"]);
  expectInstalled("codex/hooks.json", hooks);
  writeFileSync(home.file, readFileSync(home.file, "utf8").replace("true", "false"));
  home.install();
  assert.equal(readNotify(home.file).length, 5);
  assert.ok(!readdirSync(dirname(hooks)).includes("hooks.json"));
});

const broken: Readonly<Record<string, readonly [content: string, place: string]>> = {
  "a key without a value": ["model = \n", "1:9"],
  "an open list": ['model = "x"\nnotify = ["a",\n', "3:1"],
  "a key twice": ["a = 1\na = 2\n", "2:1"],
  "a nesting of 20,000": [`x = ${"[".repeat(20_000)}`, "1:1005"],
};

for (const [name, [content, place]] of Object.entries(broken)) {
  test(`config.toml with ${name} is refused, with the place`, () => {
    assert.throws(
      () => addNotify(content, "config.toml"),
      (error) => {
        assert.ok(error instanceof Failure);
        assert.ok(error.message.startsWith(`config.toml:${place}: expected TOML, got an error (`), error.message);
        return true;
      },
    );
  });
}

test("any JSON object, in any indentation, comes back byte for byte, also without a copy of it", () => {
  const command = record({ type: constant("command"), command: string(), timeout: nat() });
  const group = record({ matcher: string(), hooks: listOf(command, { maxLength: 2 }) });
  const hooks = dictionary(
    constantFrom("Stop", "UserPromptSubmit", "PreToolUse"),
    listOf(group, { minLength: 1, maxLength: 3 }),
    { minKeys: 1 },
  );
  const rest = dictionary(constantFrom("model", "env", "permissions"), jsonValue({ maxDepth: 2 }), { minKeys: 1 });
  const settings = tuple(rest, option(hooks)).map(([other, found]) =>
    found === null ? other : { ...other, hooks: found },
  );
  assertProperty(
    property(settings, constantFrom("", "  ", "    ", "\t"), (value, indent) => {
      const before = JSON.stringify(value, undefined, indent);
      const added = addHooks(before, "settings.json", claudeFormat);
      assert.deepEqual(added.what, ["Stop", "UserPromptSubmit"]);
      assert.equal(addHooks(added.text, "settings.json", claudeFormat).text, added.text);
      assert.equal(removeHooks(text(added.text), "settings.json", claudeFormat, undefined).text, before);
    }),
    { numRuns: 300 },
  );
});

test("a diff of a few lines leads from the one text to the other, and keeps no fewer lines than a plain reading does", () => {
  const lines = listOf(constantFrom("a", "b", "c"), { maxLength: 3 });
  assertProperty(
    property(lines, lines, (before, after) => {
      const diff = diffLines(before.map((line) => `${line}\n`).join(""), after.map((line) => `${line}\n`).join(""));
      const side = (sign: string): string[] =>
        diff.filter((line) => line.startsWith(" ") || line.startsWith(sign)).map((line) => line.slice(1));
      if (before.join() === after.join()) assert.deepEqual(diff, []);
      else assert.deepEqual([side("-"), side("+")], [before, after]);
      const kept = diff.filter((line) => line.startsWith(" ")).length;
      assert.ok(diff.length === 0 || kept >= countCommon(before, after), diff.join("\n"));
    }),
  );
});

/** How many lines of `before` come in `after` in the same order, taking each as soon as it comes. */
function countCommon(before: readonly string[], after: readonly string[]): number {
  let at = 0;
  return before.filter((line) => {
    const found = after.indexOf(line, at);
    if (found !== -1) at = found + 1;
    return found !== -1;
  }).length;
}
