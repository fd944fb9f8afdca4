import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Job, Mode } from "../../inbox-schema/job.ts";
import { askRunners, type AskEffects } from "../../judge/question/ask.ts";
import { decideOutcome, type Decision } from "../../judge/outcome.ts";
import { parseAnswer } from "../../judge/runners/answer.ts";
import { noProvider, parseCodexProvider } from "../../judge/runners/codex-provider.ts";
import { getRunnerEnv } from "../../judge/runners/env.ts";
import { describeFailure } from "../../judge/runners/failure.ts";
import { toRunnerPrompt } from "../../judge/runners/prompt.ts";
import { readCodexProvider } from "../../judge/runners/read-codex-provider.ts";
import { parseRunResult } from "../../judge/runners/parse-run-result.ts";
import type { RunResult } from "../../judge/runners/spawn.ts";
import { removeTempFolder } from "../../judge/runners/temp-folder.ts";
import { getLimits } from "../../judge/question/limits.ts";
import { createLogListener } from "../../judge/health/log.ts";
import { selectRunners, type SelectionInput } from "../../judge/select.ts";
import { createVerdict } from "../../judge/verdict.ts";
import { installFakes, isRunning, makeTempDir, type FakeClis } from "../helpers/fake-clis.ts";

const FIRST_LINE = "This is one question from catstack. End your answer with the one line of JSON that it asks for.";

// --- how each CLI is called

function select(input: Partial<SelectionInput>) {
  return selectRunners({ mode: "default", override: undefined, runnerSets: {}, provider: noProvider, ...input });
}

function getRunners(input: Partial<SelectionInput>) {
  const selection = select(input);
  assert.ok(selection.ok, "expected runners");
  return selection.runners;
}

/** The argv of every runner of a set, with the runner's name and without the prompt's text. */
function getArgvs(mode: Mode, prompt: string) {
  return getRunners({ mode }).map(({ name, invoke }) => {
    const { file, args, stdin } = invoke(prompt, mode);
    return { name, argv: [file, ...args.map((item) => (item === prompt ? "PROMPT" : item))], stdin };
  });
}

const codexArgv = [
  "codex",
  "exec",
  "--skip-git-repo-check",
  "--sandbox",
  "read-only",
  "-c",
  "notify=[]",
  "--ignore-user-config",
  "--ignore-rules",
  "--disable",
  "hooks",
  "--ephemeral",
  "-c",
  "project_doc_max_bytes=0",
  "-c",
  'shell_environment_policy.inherit="core"',
  "-c",
  'web_search="disabled"',
  "-c",
  "features.plugins=false",
  "-c",
  "analytics.enabled=false",
  "--",
];
const claudeDefaultArgv = [
  "claude",
  "-p",
  "--model",
  "haiku",
  "--settings",
  '{"disableAllHooks": true}',
  "--strict-mcp-config",
  "--setting-sources",
  "user",
  "--tools",
  "",
  "--permission-mode",
  "dontAsk",
  "--no-session-persistence",
];
const claudeInvestigateArgv = [
  "claude",
  "-p",
  "--model",
  "haiku",
  "--settings",
  '{"disableAllHooks": true}',
  "--strict-mcp-config",
  "--setting-sources",
  "user",
  "--tools",
  "Read,Grep,Glob",
  "--permission-mode",
  "dontAsk",
  "--no-session-persistence",
  "--allowedTools",
  "Read",
  "Grep",
  "Glob",
  "--disallowedTools",
  "Write",
  "Edit",
  "NotebookEdit",
  "Bash",
];
const cursorArgv = ["cursor-agent", "-p", "--mode=ask", "--output-format", "text"];

test("investigate asks codex and claude with exactly these switches, and never cursor-agent", () => {
  assert.deepEqual(getArgvs("investigate", "Why?"), [
    { name: "codex", argv: [...codexArgv, "PROMPT"], stdin: undefined },
    { name: "claude", argv: [...claudeInvestigateArgv, "--", "PROMPT"], stdin: undefined },
  ]);
});

test("default asks codex, claude and cursor-agent with exactly these switches", () => {
  assert.deepEqual(getArgvs("default", "Why?"), [
    { name: "codex", argv: [...codexArgv, "PROMPT"], stdin: undefined },
    { name: "claude", argv: [...claudeDefaultArgv, "--", "PROMPT"], stdin: undefined },
    { name: "cursor-agent", argv: [...cursorArgv, "PROMPT"], stdin: undefined },
  ]);
});

test("a prompt above 100 KiB of UTF-8 goes by stdin in both sets, default and investigate", () => {
  const fits = "é".repeat(51_200);
  const long = `${fits}.`;
  const byArgument = (mode: Mode) => getArgvs(mode, fits).map(({ stdin }) => stdin);
  assert.deepEqual(byArgument("default"), [undefined, undefined, undefined]);
  assert.deepEqual(getArgvs("default", long), [
    { name: "codex", argv: [...codexArgv, "-"], stdin: long },
    { name: "claude", argv: claudeDefaultArgv, stdin: long },
    { name: "cursor-agent", argv: cursorArgv, stdin: long },
  ]);
  assert.deepEqual(getArgvs("investigate", long), [
    { name: "codex", argv: [...codexArgv, "-"], stdin: long },
    { name: "claude", argv: claudeInvestigateArgv, stdin: long },
  ]);
});

test("a prompt always begins with our own line and holds no NUL", () => {
  assert.equal(toRunnerPrompt("/quit"), `${FIRST_LINE}\n\n/quit`);
  assert.equal(toRunnerPrompt("--version\0"), `${FIRST_LINE}\n\n--version\uFFFD`);
});

// --- what codex is told of the user's own configuration

const providerToml = String.raw`
model = "o9 \"mini\""
model_provider = "lab"
notify = ["touch", "/tmp/mark"]
[mcp_servers.evil]
command = "touch"
[model_providers.lab]
name = "The lab"
base_url = "http://127.0.0.1:8080/v1"
wire_api = "responses"
env_key = "LAB_KEY"
http_headers = { "x-team" = "a" }
[model_providers.lab.auth]
command = "print-token"
[model_providers.other]
base_url = "http://127.0.0.1:9090"
`;

test("codex is told the user's model and provider and nothing that names a command", () => {
  assert.deepEqual(parseCodexProvider(providerToml), {
    args: [
      "-c",
      String.raw`model="o9 \"mini\""`,
      "-c",
      'model_provider="lab"',
      "-c",
      'model_providers.lab.name="The lab"',
      "-c",
      'model_providers.lab.base_url="http://127.0.0.1:8080/v1"',
      "-c",
      'model_providers.lab.wire_api="responses"',
      "-c",
      'model_providers.lab.env_key="LAB_KEY"',
    ],
    envKey: "LAB_KEY",
  });
});

test("the user's provider stands before `--`, and its key reaches codex alone", () => {
  const runners = getRunners({ provider: parseCodexProvider(providerToml) });
  const parent = { LAB_KEY: "secret" };
  const seen = runners.map(({ name, getVariables, invoke }) => ({
    name,
    sees: getVariables(parent).includes("LAB_KEY"),
    args: invoke("Why?", "default").args.slice(-4),
  }));
  assert.deepEqual(seen[0], {
    name: "codex",
    sees: true,
    args: ["-c", 'model_providers.lab.env_key="LAB_KEY"', "--", "Why?"],
  });
  assert.deepEqual(
    seen.map(({ sees }) => sees),
    [true, false, false],
  );
});

test("values of a config.toml cannot break out of their quotes", () => {
  const { args } = parseCodexProvider(String.raw`model = "a\"\nnotify = [\"x\"]\u007F\\"`);
  assert.deepEqual(args, ["-c", String.raw`model="a\"\nnotify = [\"x\"]\u007F\\"`]);
});

const oddConfigs: readonly { readonly name: string; readonly toml: string; readonly args: readonly string[] }[] = [
  { name: "an empty file", toml: "", args: [] },
  { name: "a model alone", toml: 'model = "m"', args: ["-c", 'model="m"'] },
  { name: "values of a wrong type", toml: "model = 5\nmodel_provider = true", args: [] },
  { name: "a provider of codex's own", toml: 'model_provider = "oss"', args: ["-c", 'model_provider="oss"'] },
  {
    name: "a provider without a name",
    toml: 'model_provider = "a"\n[model_providers.a]\nbase_url = "http://a"',
    args: [
      "-c",
      'model_provider="a"',
      "-c",
      'model_providers.a.name="a"',
      "-c",
      'model_providers.a.base_url="http://a"',
    ],
  },
  {
    name: "a provider whose id a switch cannot spell, so that codex stops instead of asking another one",
    toml: 'model_provider = "a.b"\n[model_providers."a.b"]\nbase_url = "http://a"',
    args: ["-c", 'model_provider="a.b"'],
  },
  {
    name: "an inherited property as provider",
    toml: 'model_provider = "__proto__"\n[model_providers.a]\nbase_url = "http://a"',
    args: ["-c", 'model_provider="__proto__"'],
  },
  {
    name: "an integer beyond what a double holds, which TOML allows",
    toml: 'model = "m"\nlimit = 9223372036854775807',
    args: ["-c", 'model="m"'],
  },
];

for (const { name, toml, args } of oddConfigs) {
  test(`codex provider: ${name}`, () => assert.deepEqual(parseCodexProvider(toml), { args }));
}

test("an env_key that is no variable name adds nothing to the environment", () => {
  const toml = 'model_provider = "a"\n[model_providers.a]\nenv_key = "A B=c"';
  assert.equal(parseCodexProvider(toml).envKey, undefined);
});

test("a broken or unreadable config.toml gives no arguments and a note, an absent one neither", (t) => {
  const home = makeTempDir(t);
  assert.deepEqual(readCodexProvider({ HOME: home }), { args: [] });
  const codexHome = join(home, "elsewhere");
  mkdirSync(join(home, ".codex"));
  mkdirSync(codexHome);
  writeFileSync(join(home, ".codex", "config.toml"), "model = ");
  writeFileSync(join(codexHome, "config.toml"), 'model = "m"');
  const broken = readCodexProvider({ HOME: home });
  assert.deepEqual(broken.args, []);
  assert.match(broken.note ?? "", /\.codex\/config\.toml: expected TOML, got a /);
  assert.deepEqual(readCodexProvider({ HOME: home, CODEX_HOME: codexHome }), { args: ["-c", 'model="m"'] });
  mkdirSync(join(codexHome, "folder", "config.toml"), { recursive: true });
  assert.match(
    readCodexProvider({ CODEX_HOME: join(codexHome, "folder") }).note ?? "",
    /cannot be read \(expected a file, got something else\)/,
  );
});

// --- what a runner sees of the environment

/** What is allowed to everybody, each with its own name as its value. */
const common = Object.fromEntries(
  [
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TERM",
    "TMPDIR",
    "XDG_STATE_HOME",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
  ].map((name) => [name, name]),
);
const own = {
  codex: {
    CODEX_API_KEY: "1",
    CODEX_ACCESS_TOKEN: "2",
    OPENAI_API_KEY: "3",
    OPENAI_BASE_URL: "4",
    OPENAI_ORGANIZATION: "5",
    OPENAI_PROJECT: "6",
  },
  claude: {
    ANTHROPIC_API_KEY: "1",
    ANTHROPIC_BASE_URL: "2",
    CLAUDE_CODE_OAUTH_TOKEN: "3",
    DISABLE_TELEMETRY: "4",
    CLAUDE_CODE_USE_BEDROCK: "1",
    CLAUDE_CODE_SKIP_BEDROCK_AUTH: "1",
    AWS_PROFILE: "5",
  },
  "cursor-agent": { CURSOR_API_KEY: "1" },
};
const forNobody = {
  NOTIFY_SOCKET: "x",
  WATCHDOG_USEC: "x",
  WATCHDOG_PID: "x",
  CLAUDECODE: "1",
  CLAUDE_CODE_SESSION_ID: "x",
  CLAUDE_CODE_ENTRYPOINT: "cli",
  CLAUDE_PROJECT_DIR: "/x",
  GITHUB_TOKEN: "x",
  DATABASE_URL: "x",
  NODE_OPTIONS: "x",
  GOOGLE_APPLICATION_CREDENTIALS: "x",
  AZURE_CLIENT_SECRET: "x",
  CATSTACK_LLM_JUDGE_RUNNERS: "[]",
  LD_PRELOAD: "x",
  CATSTACK_JOB: "another",
  CATSTACK_STATE: "another",
  GIT_CONFIG_COUNT: "7",
  GIT_CONFIG_KEY_1: "x",
  PWD: "/x",
  ABSENT: undefined,
};
const fixed = {
  CATSTACK_LLM_JUDGE_CHILD: "1",
  CATSTACK_JOB: "job-1",
  CATSTACK_STATE: "state-1",
  CLAUDE_CODE_MAX_RETRIES: "2",
  CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "core.fsmonitor",
  GIT_CONFIG_VALUE_0: "false",
};

test("every runner gets the allowed variables, the fixed ones, and of the keys only its own", () => {
  const parent = { PATH: "/bin", ...common, ...own.codex, ...own.claude, ...own["cursor-agent"], ...forNobody };
  const envs = getRunners({}).map(({ name, getVariables }) => [
    name,
    getRunnerEnv(parent, { jobId: "job-1", state: "state-1", extra: getVariables(parent) }),
  ]);
  assert.deepEqual(Object.fromEntries(envs), {
    codex: { PATH: "/bin", ...common, ...fixed, ...own.codex },
    claude: { PATH: "/bin", ...common, ...fixed, ...own.claude },
    "cursor-agent": { PATH: "/bin", ...common, ...fixed, ...own["cursor-agent"] },
  });
});

test("a provider whose key is named like a fixed variable cannot change that one", () => {
  const parent = { CATSTACK_JOB: "another", CATSTACK_STATE: "another", CATSTACK_LLM_JUDGE_CHILD: "0" };
  assert.deepEqual(getRunnerEnv(parent, { jobId: "job-1", state: "state-1", extra: Object.keys(parent) }), fixed);
});

test("claude gets the keys of a cloud only when it is served by that cloud", () => {
  const claude = getRunners({}).find(({ name }) => name === "claude");
  const getNames = (parent: Record<string, string>) =>
    Object.keys(
      getRunnerEnv(parent, { jobId: "job-1", state: "state-1", extra: claude?.getVariables(parent) ?? [] }),
    ).filter((name) => !Object.hasOwn(fixed, name));
  assert.deepEqual(getNames({ AWS_SECRET_ACCESS_KEY: "x", CLAUDE_CODE_USE_BEDROCK: "0" }), []);
  assert.deepEqual(getNames({ GOOGLE_CLOUD_PROJECT: "x", CLAUDE_CODE_USE_VERTEX: "1", AWS_PROFILE: "x" }), [
    "GOOGLE_CLOUD_PROJECT",
    "CLAUDE_CODE_USE_VERTEX",
  ]);
});

test("a relative or empty entry of PATH, which would run a program of the judged folder, is dropped", () => {
  const getPath = (PATH: string) => getRunnerEnv({ PATH }, { jobId: "job-1", state: "state-1", extra: [] })["PATH"];
  assert.equal(getPath("node_modules/.bin:/usr/bin::.:/bin:"), "/usr/bin:/bin");
  assert.equal(getPath("."), undefined);
});

// --- who is asked

const toEntry = (name: string, ...argv: string[]): [string, string[]] => [name, argv];

test("the settings' sets replace our own, each for its mode", () => {
  const runnerSets = { investigate: [toEntry("mine", "/opt/ask", "{prompt}", "-x", "{prompt}", "a{prompt}")] };
  const [mine, ...others] = getRunners({ mode: "investigate", runnerSets });
  assert.equal(mine?.name, "mine");
  assert.deepEqual(others, []);
  assert.deepEqual(mine?.invoke("Why?", "investigate"), {
    file: "/opt/ask",
    args: ["Why?", "-x", "Why?", "a{prompt}"],
  });
  assert.deepEqual(
    getRunners({ runnerSets }).map(({ name }) => name),
    ["codex", "claude", "cursor-agent"],
  );
});

test("a custom runner gets a prompt above 100 KiB by stdin and its items go", () => {
  const [mine] = getRunners({ override: '[["mine", ["ask", "-x", "{prompt}"]]]' });
  const long = "x".repeat(102_401);
  assert.deepEqual(mine?.invoke(long, "default"), { file: "ask", args: ["-x"], stdin: long });
});

test("a custom runner gets the keys of the CLI that is its program and of no other", () => {
  const names = ["/opt/bin/codex", "claude", "cursor-agent", "ask"].map((file) => {
    const [runner] = getRunners({ override: JSON.stringify([["mine", [file]]]) });
    return runner?.getVariables({}).filter((name) => ["CODEX_API_KEY", "ANTHROPIC_*", "CURSOR_API_KEY"].includes(name));
  });
  assert.deepEqual(names, [["CODEX_API_KEY"], ["ANTHROPIC_*"], ["CURSOR_API_KEY"], []]);
});

test("CATSTACK_LLM_JUDGE_RUNNERS replaces either set, and the settings' sets", () => {
  const override = '[["one", ["ask"]], ["two", ["ask"]]]';
  const runnerSets = { default: [toEntry("mine", "ask")] };
  for (const mode of ["default", "investigate"] as const) {
    assert.deepEqual(
      getRunners({ mode, override, runnerSets }).map(({ name }) => name),
      ["one", "two"],
    );
  }
});

const malformed: readonly { readonly text: string; readonly reason: RegExp }[] = [
  { text: "", reason: /^expected CATSTACK_LLM_JUDGE_RUNNERS to be a JSON list of \[name, \[argv\.\.\.\]\], got ``/ },
  { text: "codex", reason: /^expected CATSTACK_LLM_JUDGE_RUNNERS to be a JSON list of .*, got `codex`/ },
  { text: "[", reason: /^expected CATSTACK_LLM_JUDGE_RUNNERS / },
  { text: "{}", reason: /^expected CATSTACK_LLM_JUDGE_RUNNERS to be .*, got an object/ },
  { text: "null", reason: /^expected CATSTACK_LLM_JUDGE_RUNNERS to be .*, got null/ },
  { text: "[]", reason: /^expected CATSTACK_LLM_JUDGE_RUNNERS to be a JSON list of one or more / },
  {
    text: '["codex"]',
    reason: /^expected CATSTACK_LLM_JUDGE_RUNNERS\[0\] to be \[name, \[argv\.\.\.\]\], all strings/,
  },
  { text: '[["a", ["ask"]], ["b", []]]', reason: /^expected CATSTACK_LLM_JUDGE_RUNNERS\[1\] to be / },
  { text: '[["a", "ask"]]', reason: /^expected CATSTACK_LLM_JUDGE_RUNNERS\[0\] to be / },
  { text: '[["", ["ask"]]]', reason: /^expected CATSTACK_LLM_JUDGE_RUNNERS\[0\] to be / },
  { text: '[["a", ["ask", 5]]]', reason: /^expected CATSTACK_LLM_JUDGE_RUNNERS\[0\] to be / },
  { text: '[["a", ["ask"], "more"]]', reason: /^expected CATSTACK_LLM_JUDGE_RUNNERS\[0\] to be / },
  { text: '[["a", [""]]]', reason: /^expected CATSTACK_LLM_JUDGE_RUNNERS\[0\] to be a program and its arguments/ },
  { text: '[["a", ["{prompt}"]]]', reason: /^expected CATSTACK_LLM_JUDGE_RUNNERS\[0\] to be a program and its arg/ },
  { text: '[["a", ["./ask"]]]', reason: /\[0\] to be a program by bare name or absolute path, got "\.\/ask"/ },
  { text: String.raw`[["a", ["ask", "\u0000"]]]`, reason: /^expected CATSTACK_LLM_JUDGE_RUNNERS\[0\] to be / },
];

for (const { text, reason } of malformed) {
  test(`a malformed CATSTACK_LLM_JUDGE_RUNNERS never reaches a real runner: ${text}`, async (t) => {
    const { fakes, ask } = prepare(t, { codex: "records", claude: "records", "cursor-agent": "records" });
    for (const mode of ["default", "investigate"] as const) {
      const result = await ask({ mode }, { CATSTACK_LLM_JUDGE_RUNNERS: text });
      assert.equal(result.outcome, "unchecked");
      assert.match(result.reason, reason);
      assert.ok(result.reason.length <= 300);
      assert.deepEqual(result.attempts, []);
    }
    assert.deepEqual(
      readdirSync(fakes.path).filter((name) => name.endsWith(".json")),
      [],
    );
  });
}

test("a settings' set that cannot be run is named and no other set is asked", () => {
  const selection = select({ runnerSets: { default: [["a", ["bin/ask"]]] } });
  assert.deepEqual(selection, {
    ok: false,
    reason:
      'expected judge.runners.default[0] to be a program by bare name or absolute path, got "bin/ask"; correct it or remove it',
  });
});

// --- time and folder

test("an investigate job's time is 60 s if absent and 600 s at most: 601 and 99999 become 600", () => {
  const getMs = (timeout_seconds?: number) =>
    getLimits({ mode: "investigate", ...(timeout_seconds !== undefined && { timeout_seconds }) }, () => undefined)
      .timeoutMs;
  assert.deepEqual(
    [undefined, 0.5, 123, 600, 601, 99_999].map(getMs),
    [60_000, 500, 123_000, 600_000, 600_000, 600_000],
  );
  // The format allows none of these.
  assert.deepEqual([-5, 0, NaN, Infinity].map(getMs), [60_000, 60_000, 60_000, 600_000]);
});

test("a job without investigate mode gets 60 s and no folder of its own, and what it asked for is named", () => {
  for (const mode of ["default", undefined] as const) {
    const fields = { timeout_seconds: 5, cwd: "/", ...(mode && { mode }) };
    assert.deepEqual(
      getLimits(fields, () => undefined),
      { timeoutMs: 60_000, ignored: ["timeout_seconds", "cwd"] },
    );
  }
  assert.deepEqual(
    getLimits({}, () => undefined),
    { timeoutMs: 60_000, ignored: [] },
  );
});

// --- what an answer is

const printed: readonly { readonly name: string; readonly stdout: string; readonly answer: unknown }[] = [
  { name: "a line among others", stdout: 'Well.\n{"a": 1}\nDone.', answer: { a: 1 } },
  { name: "the later of two lines", stdout: '{"a": 1}\r\n  {"a": 2}  \r\n', answer: { a: 2 } },
  { name: "an array, a string, a number and null are none", stdout: '[{"a": 1}]\n"a"\n5\nnull', answer: undefined },
  { name: "an array after the object changes nothing", stdout: '{"a": 1}\n[2]', answer: { a: 1 } },
  { name: "an object within a line of prose is none", stdout: 'It is {"a": 1}.', answer: undefined },
  { name: "a fence over several lines", stdout: '```json\n{\n  "a": [\n1]\n}\n```', answer: { a: [1] } },
  { name: "a fence of one line", stdout: '```\n{"a": 1}\n```\n', answer: { a: 1 } },
  { name: "the fence after the line", stdout: '{"a": 1}\n~~~json\n{"a":\n2}\n~~~', answer: { a: 2 } },
  { name: "the line after the fence", stdout: '```json\n{"a":\n1}\n```\n{"a": 2}', answer: { a: 2 } },
  { name: "an unclosed fence is nothing", stdout: '```json\n{\n"a": 1\n}', answer: undefined },
  { name: "a line of an unclosed fence is nothing either", stdout: '```json\n[\n{"a": 1}', answer: undefined },
  { name: "an unclosed fence leaves what stood before", stdout: '{"a": 1}\n```json\n{"a": 2', answer: { a: 1 } },
  { name: "a part of a fenced object is not it", stdout: '```\n{"a": [\n{"b": 1}\n]}\n```', answer: { a: [{ b: 1 }] } },
  { name: "lines in a fence with prose", stdout: '```\nSo:\n{"a": 1}\n```', answer: { a: 1 } },
  { name: "a fence in a longer fence", stdout: '````\n```\n{"a": 1}\n```\n````', answer: { a: 1 } },
  { name: "nothing", stdout: "", answer: undefined },
  { name: "a half line", stdout: '{"a": tru', answer: undefined },
  { name: "64 KiB is the most", stdout: `{"a": "${"x".repeat(65_527)}"}`, answer: { a: "x".repeat(65_527) } },
  { name: "more is none", stdout: `{"a": "${"x".repeat(65_528)}"}`, answer: undefined },
  { name: "64 levels are the most", stdout: `{"a": ${"[".repeat(63)}${"]".repeat(63)}}`, answer: { a: nest(63) } },
  { name: "a deeper one is none", stdout: `{"a": ${"[".repeat(64)}${"]".repeat(64)}}`, answer: undefined },
  {
    name: "so is one that no parser bears",
    stdout: `{"a": ${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
    answer: undefined,
  },
];

function nest(levels: number): unknown[] {
  return levels === 1 ? [] : [nest(levels - 1)];
}

for (const { name, stdout, answer } of printed) {
  test(`answer: ${name}`, () => assert.deepEqual(parseAnswer(stdout), answer));
}

test("a key __proto__ in an answer is dropped at every depth", () => {
  const answer = parseAnswer('{"__proto__": {"hit": true}, "a": {"__proto__": 5, "b": 1}}');
  assert.equal(JSON.stringify(answer), '{"a":{"b":1}}');
  assert.equal(answer?.["hit"], undefined);
});

// --- why a run gave no answer

const ended = { started: true, exitCode: 0, signal: null, stdout: "", stderr: "", survivors: [] } as const;

const failedRuns: readonly { readonly result: RunResult; readonly reason: string }[] = [
  { result: { started: false, code: "ENOENT", cwdMissing: false }, reason: "not installed" },
  { result: { started: false, code: "ENOENT", cwdMissing: true }, reason: "could not start: its folder is gone" },
  { result: { started: false, code: "E2BIG", cwdMissing: false }, reason: "could not start: E2BIG" },
  { result: { ...ended, stopped: "timed-out", stdout: '{"a": 1}' }, reason: "timed out after 60s" },
  { result: { ...ended, stopped: "aborted" }, reason: "aborted: the watcher is stopping" },
  { result: { ...ended, stopped: "output-too-large" }, reason: "output too large: more than 1000000 bytes" },
  { result: { ...ended, exitCode: null, signal: "SIGSEGV" }, reason: "killed by SIGSEGV" },
  { result: { ...ended, exitCode: 1 }, reason: "exit 1" },
  { result: { ...ended, exitCode: 1, stdout: "a\n", stderr: "b\n\tc\u001B[0m\n" }, reason: "exit 1: b c [0m" },
  { result: { ...ended, exitCode: 1, stderr: "😀".repeat(300) }, reason: `exit 1: …${"😀".repeat(129)}` },
  { result: ended, reason: "no answer: it printed nothing" },
  {
    result: { ...ended, exitCode: 2, stderr: "error: unexpected argument '--ephemeral' found\n\nUsage: codex exec" },
    reason: "missing switch: error: unexpected argument '--ephemeral' found",
  },
  {
    result: {
      ...ended,
      exitCode: 1,
      stderr: "x\nerror: option '--permission-mode <mode>' argument 'dontAsk' is invalid.",
    },
    reason: "missing switch: error: option '--permission-mode <mode>' argument 'dontAsk' is invalid.",
  },
  {
    result: { ...ended, exitCode: 1, stderr: "Error: Unknown feature flag: hooks\n" },
    reason: "missing switch: Error: Unknown feature flag: hooks",
  },
  {
    result: { ...ended, exitCode: 1, stderr: "I saw error: unknown option" },
    reason: "exit 1: I saw error: unknown option",
  },
];

for (const { result, reason } of failedRuns) {
  test(`a run without an answer: ${reason.slice(0, 60)}`, () => {
    const reading = parseRunResult(result, 60_000);
    assert.ok(!reading.ok);
    assert.equal(describeFailure(reading.failure), reason);
  });
}

test("only a run that ended by itself with 0 has answered", () => {
  assert.deepEqual(parseRunResult({ ...ended, stdout: '{"a": 1}' }, 60_000), { ok: true, answer: { a: 1 } });
});

// --- what an answer is worth

interface OutcomeCase {
  readonly name: string;
  readonly keys: string[];
  readonly answer: Record<string, unknown>;
  readonly quoted?: string[];
  readonly texts?: string[];
  readonly decision: Decision;
}

const hit = (reason: string): Decision => ({ accepted: true, outcome: "hit", reason });
const clean = (reason: string): Decision => ({ accepted: true, outcome: "clean", reason });
const lacks = (detail: string): Decision => ({ accepted: false, failure: { kind: "lacks-key", detail } });
const unquoted = (detail: string): Decision => ({ accepted: false, failure: { kind: "quote-not-found", detail } });
const texts = ["I ran  the\n  tests.", "All green."];

const outcomeCases: readonly OutcomeCase[] = [
  { name: "all true is a hit", keys: ["a", "b"], answer: { a: true, b: true }, decision: hit("all true: a, b") },
  { name: "one false is clean", keys: ["a", "b"], answer: { a: true, b: false }, decision: clean("not true: b") },
  { name: "true as a word is not true", keys: ["a"], answer: { a: "true" }, decision: clean("not true: a") },
  { name: "1 is not true", keys: ["a"], answer: { a: 1 }, decision: clean("not true: a") },
  { name: "null is not true", keys: ["a"], answer: { a: null }, decision: clean("not true: a") },
  { name: "no keys: any answer is a hit", keys: [], answer: {}, decision: hit("answered, and any answer is a hit") },
  { name: "a missing key is a failed attempt", keys: ["a", "b", "c"], answer: { b: true }, decision: lacks("a, c") },
  { name: "a missing key is never clean", keys: ["a", "b"], answer: { a: false }, decision: lacks("b") },
  { name: "an inherited key is missing", keys: ["toString"], answer: {}, decision: lacks("toString") },
  {
    name: "a quote stands in a text whatever its line breaks",
    keys: ["a"],
    quoted: ["q", "r"],
    texts,
    answer: { a: true, q: " ran the tests.\n", r: "green" },
    decision: hit("all true: a"),
  },
  {
    name: "an invented quote is a failed attempt",
    keys: ["a"],
    quoted: ["q", "r"],
    texts,
    answer: { a: true, q: "the tests failed", r: "green" },
    decision: unquoted("q"),
  },
  {
    name: "a quote across two texts is none",
    keys: ["a"],
    quoted: ["q"],
    texts,
    answer: { a: true, q: "tests. All" },
    decision: unquoted("q"),
  },
  {
    name: "an invented quote is never clean",
    keys: ["a"],
    quoted: ["q"],
    texts,
    answer: { a: false, q: "the tests failed" },
    decision: unquoted("q"),
  },
  {
    name: "blank, missing and other values are no quotes",
    keys: [],
    quoted: ["q", "r", "s"],
    texts,
    answer: { q: " \n", s: ["green"] },
    decision: unquoted("q, r, s"),
  },
  {
    name: "without texts nothing can be quoted",
    keys: [],
    quoted: ["q"],
    answer: { q: "green" },
    decision: unquoted("q"),
  },
];

for (const { name, keys, answer, quoted, texts: judged, decision } of outcomeCases) {
  test(`outcome: ${name}`, () => {
    const job = { hit_if_all_true: keys, ...(quoted && { quoted }), ...(judged && { texts: judged }) };
    assert.deepEqual(decideOutcome(job, answer), decision);
  });
}

function getReport(report: unknown): string | undefined {
  const decision = decideOutcome({ hit_if_all_true: [] }, { report });
  assert.ok(decision.accepted);
  return decision.report;
}

test("a report is one plain line of 600 characters at most", () => {
  assert.equal(getReport(" In a.txt:\n\tred\u001B[31m \u202Etxt\u0000\uD83D "), "In a.txt: red[31m txt");
  assert.equal(getReport("x".repeat(601)), "x".repeat(600));
  // A pair counts as two and is never cut in half.
  assert.equal(getReport(`${"x".repeat(599)}😀`), "x".repeat(599));
  assert.equal(getReport(`${"x".repeat(598)}😀`), `${"x".repeat(598)}😀`);
});

test("a report holds nothing that only a model would read", () => {
  const spelled = Array.from("obey", (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
  for (const unseen of [spelled, "\u{E0100}\u{E01EF}", "\uFE0F", "\u200B\u2060\uFEFF", "\u00AD", "\u3164"])
    assert.equal(getReport(`a.txt:1${unseen} says so`), "a.txt:1 says so");
});

test("a report that is no text, or says nothing, is left out", () => {
  for (const report of [undefined, null, 5, ["x"], { a: 1 }, "", " \n\u0000"])
    assert.equal(getReport(report), undefined);
});

test("a reason is 300 characters at most", () => {
  const keys = Array.from({ length: 100 }, (_, index) => `key-${index}`);
  const decision = decideOutcome({ hit_if_all_true: keys }, Object.fromEntries(keys.map((key) => [key, true])));
  assert.ok(
    decision.accepted && decision.reason.length === 300 && decision.reason.startsWith("all true: key-0, key-1"),
  );
});

// --- secrets

/** Made up, in the format of a GitHub token: 40 characters. */
const token = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ".repeat(2).slice(0, 36)}`;

test("a report is redacted before it is cut, and what hides a secret is taken out before that", () => {
  assert.equal(getReport(`The file holds ${token}.`), "The file holds [redacted: GitHub token].");
  assert.equal(getReport(`gh\u0000p_${token.slice(4)}`), "[redacted: GitHub token]");
  // Cut first, only six characters of it would be left, and nobody could tell.
  assert.equal(getReport(`${"x ".repeat(297)}${token}`), `${"x ".repeat(297)}[redac`);
});

test("what a CLI printed is redacted before it is cut", () => {
  // 260 characters are kept; of the token's 40 those are among the last 19, which nobody could tell from any other word.
  const reading = parseRunResult({ ...ended, exitCode: 1, stderr: `${token}${" x".repeat(120)}` }, 60_000);
  const rest = `…GitHub token]${" x".repeat(120)}`;
  assert.deepEqual(reading, { ok: false, failure: { kind: "exit", detail: `1: ${rest}` } });
});

test("a CLI that gave up is quoted from its error on, in whole words", () => {
  const why = (stderr: string) => {
    const reading = parseRunResult({ ...ended, exitCode: 1, stderr }, 60_000);
    assert.ok(!reading.ok);
    return reading.failure.detail;
  };
  const advice = "Either postinstall did not run\nor the optional dependency was not downloaded (--omit=optional).\n";
  assert.equal(
    why(`${"noise ".repeat(90)}\nError: native binary not installed.\n\n${advice}`),
    `1: Error: native binary not installed. ${advice.trim().replace("\n", " ")}`,
  );
  const stack =
    "/p/cli.js:1\nthrow new Error(x)\n^\n\nTypeError: x is undefined\n    at f (/p/cli.js:1:7)\n\nNode.js v22.1.0\n";
  assert.equal(why(stack), "1: TypeError: x is undefined");
  assert.equal(why("user\nError: the judged text\nERROR: stream disconnected\n"), "1: ERROR: stream disconnected");
  assert.equal(why(`error: ${"word ".repeat(90)}`), `1: error: ${"word ".repeat(50).trim()}…`);
  assert.equal(why("word ".repeat(90)), `1: …${"word ".repeat(51).trim()}`);
  assert.equal(why(`Error: ${"x".repeat(900)}`), `1: Error: ${"x".repeat(252)}…`);
});

test("a verdict holds no secret: neither its reasons nor its answer, at any depth or under a telling key", () => {
  const job = { ...givens, id: "a-job", prompt: "Is it so?" };
  const findings = {
    outcome: "hit" as const,
    reason: `all true: ${token}`,
    runner: "model",
    answer: { hit: true, seen: [{ at: `a.txt: ${token}` }], password: "hunter2" },
    attempts: [{ runner: "model", ok: false, reason: `exit 1: ${token}`, duration_ms: 1 }],
  };
  const origin = { transcriptKey: "0123456789abcdef", jobHash: undefined };
  const { reason, answer, attempts } = createVerdict(job, origin, findings, { finishedAt: new Date(0) });
  assert.deepEqual(
    { reason, answer, attempts },
    {
      reason: "all true: [redacted: GitHub token]",
      answer: {
        hit: true,
        seen: [{ at: "a.txt: [redacted: GitHub token]" }],
        password: "[redacted: password]",
      },
      attempts: [{ runner: "model", ok: false, reason: "exit 1: [redacted: GitHub token]", duration_ms: 1 }],
    },
  );
});

test("the log holds no secret", (t) => {
  const lines: string[] = [];
  const log = createLogListener(
    join(makeTempDir(t), "judge.log"),
    () => new Date(0),
    (line) => void lines.push(line),
  );
  log({ event: "watcher:note", message: `runner codex rests: ${token}` });
  const at = "1970-01-01T00:00:00.000Z";
  const message = "runner codex rests: [redacted: GitHub token]";
  assert.deepEqual(lines, [JSON.stringify({ at, level: "info", event: "watcher:note", message })]);
});

test("an answer is kept without the secrets in it", async (t) => {
  const { ask } = prepare(t, {});
  const kept: unknown[] = [];
  const line = JSON.stringify({ hit: true, seen: token });
  const runners = JSON.stringify([["says", ["/bin/echo", line]]]);
  const { answer } = await ask(
    {},
    { CATSTACK_LLM_JUDGE_RUNNERS: runners },
    { onAnswer: (said) => void kept.push(said.answer) },
  );
  // The quotes of a question are looked up in what the model really said.
  assert.deepEqual(answer, { hit: true, seen: token });
  assert.deepEqual(kept, [{ hit: true, seen: "[redacted: GitHub token]" }]);
});

// --- asking

const givens = {
  schema: 1 as const,
  hook: "example",
  transcript: "/t.jsonl",
  on_hit: "It is so.",
  hit_if_all_true: ["hit"],
};

const nobodyRests = { find: () => undefined, failed: () => undefined, answered: () => {} };

type Fields = Partial<Pick<Job, "mode" | "cwd" | "timeout_seconds"> & { prompt: string }>;
type Ask = (job?: Fields, env?: Record<string, string>, effects?: Partial<AskEffects>) => ReturnType<typeof askRunners>;

/** Fakes on PATH under the given names, a home of their own, and what asking them logs and starts. */
function prepare(t: TestContext, clis: Readonly<Record<string, string>>) {
  const fakes = installFakes(t, clis);
  const temp = makeTempDir(t);
  const logged: string[] = [];
  const started: { runner: string; pid: number }[] = [];
  const ask: Ask = (fields = {}, env = {}, effects = {}) =>
    askRunners(toQuestion(fields), {
      env: { PATH: fakes.path, HOME: temp, TMPDIR: temp, ...env },
      state: "state-1",
      runnerSets: {},
      signal: new AbortController().signal,
      onSpawn: (process) => void started.push(process),
      onSurvivors: ({ pids }) => assert.fail(`expected every process to end, got ${pids.join(", ")}`),
      log: (line) => void logged.push(line),
      resting: nobodyRests,
      onAnswer: () => {},
      patience: { termMs: 100, giveUpMs: 10_000, exitMs: 100, killMs: 5000 },
      ...effects,
    });
  return { fakes, temp, logged, started, ask };
}

/** A job whose one key the fakes answer. Its id is its own, since ids name processes on this machine. */
function toQuestion(fields: Fields): Job & { id: string } {
  return { ...givens, id: `job-${randomUUID()}`, prompt: "Is it so?", ...fields };
}

function readRecord(fakes: FakeClis, name: string): Record<string, unknown> {
  const record = fakes.find(`${name}.json`);
  assert.ok(typeof record === "object" && record !== null, `expected ${name} to have run`);
  return { ...record };
}

function isEnv(value: unknown): value is Record<string, string> {
  return typeof value === "object" && value !== null && Object.values(value).every((item) => typeof item === "string");
}

const withoutTimes = (attempts: readonly { runner: string; ok: boolean; reason: string }[]) =>
  attempts.map(({ runner, ok, reason }) => ({ runner, ok, reason }));

test("the first usable answer wins and no other runner is asked", async (t) => {
  const { fakes, started, ask } = prepare(t, { codex: "answers", claude: "records", "cursor-agent": "records" });
  const result = await ask();
  assert.deepEqual(
    { ...result, attempts: withoutTimes(result.attempts) },
    {
      outcome: "hit",
      reason: "all true: hit",
      answer: { hit: true, report: "seen in a.txt" },
      report: "seen in a.txt",
      runner: "codex",
      attempts: [{ runner: "codex", ok: true, reason: "answered" }],
      aborted: false,
    },
  );
  assert.deepEqual(
    started.map(({ runner }) => runner),
    ["codex"],
  );
  assert.equal(fakes.find("claude.json"), undefined);
});

test("every failure is recorded in order and the next runner asked", async (t) => {
  const { ask } = prepare(t, { codex: "exits-3", claude: "lacks-key", "cursor-agent": "answers-no" });
  const { outcome, reason, runner, attempts } = await ask();
  assert.deepEqual({ outcome, reason, runner }, { outcome: "clean", reason: "not true: hit", runner: "cursor-agent" });
  const [first, ...others] = withoutTimes(attempts);
  assert.equal(first?.runner, "codex");
  assert.match(first?.reason ?? "", /^exit 3: …e+ no such model$/);
  assert.ok((first?.reason.length ?? 0) <= 300);
  assert.deepEqual(others, [
    { runner: "claude", ok: false, reason: "answer lacks key: hit" },
    { runner: "cursor-agent", ok: true, reason: "answered" },
  ]);
  assert.ok(attempts.every(({ duration_ms }) => Number.isInteger(duration_ms) && duration_ms >= 0));
});

test("no usable answer leaves the job unchecked with each runner's reason", async (t) => {
  const { ask } = prepare(t, { claude: "exits-1-on-stdout", "cursor-agent": "prints-noise" });
  const result = await ask();
  assert.deepEqual(withoutTimes(result.attempts), [
    { runner: "codex", ok: false, reason: "not installed" },
    { runner: "claude", ok: false, reason: "exit 1: API Error: 500 internal error" },
    { runner: "cursor-agent", ok: false, reason: "no answer: no JSON object in I could not decide. [true] 42" },
  ]);
  assert.equal(result.outcome, "unchecked");
  assert.equal(result.runner, null);
  assert.equal(result.answer, null);
  assert.equal(
    result.reason,
    "no runner answered: codex: not installed; claude: exit 1: API Error: 500 internal error; " +
      "cursor-agent: no answer: no JSON object in I could not decide. [true] 42",
  );
});

test("what nobody can answer before a person does something says what that is, also while all rest", async (t) => {
  const { ask } = prepare(t, {});
  const { reason } = await ask();
  const advice = "; install and log in to codex, claude or cursor-agent; see: catstack doctor";
  assert.equal(
    reason,
    `no runner answered: codex: not installed; claude: not installed; cursor-agent: not installed${advice}`,
  );
  const old = prepare(t, { codex: "refuses-switch" });
  assert.match((await old.ask()).reason, /: not installed; see: catstack doctor$/, "an update may do");
  const passing = prepare(t, { claude: "exits-3" });
  assert.doesNotMatch((await passing.ask()).reason, /doctor/, "the next one may be answered");
});

test("one long reason hides no other", async (t) => {
  const { ask } = prepare(t, { codex: "exits-3", claude: "exits-3", "cursor-agent": "refuses-switch" });
  const { reason } = await ask();
  assert.ok(reason.length <= 300);
  assert.match(
    reason,
    /^no runner answered: codex: exit 3: …e+; claude: exit 3: …e+; cursor-agent: missing switch: error: unknown option '--strict-mcp-config'$/,
  );
});

test("a fenced answer, an answer before a daemon and one before an escape all count", async (t) => {
  for (const fake of ["answers-fenced", "answers-then-daemon", "escapes-then-answers"]) {
    const { ask, temp } = prepare(t, { codex: fake });
    const result = await ask();
    assert.equal(result.outcome, "hit", fake);
    assert.deepEqual(readdirSync(temp), [], `expected the temporary folder of ${fake} to be gone`);
  }
});

test("a runner that takes too long is ended and the next one asked: investigate with 0.3 s", async (t) => {
  const { started, ask } = prepare(t, { codex: "hangs", claude: "answers" });
  const result = await ask({ mode: "investigate", timeout_seconds: 0.3 });
  assert.deepEqual(withoutTimes(result.attempts), [
    { runner: "codex", ok: false, reason: "timed out after 0.3s" },
    { runner: "claude", ok: true, reason: "answered" },
  ]);
  assert.deepEqual(
    started.filter(({ pid }) => isRunning(pid)),
    [],
  );
});

test("a runner that floods, or that is not executable, is a failed attempt", async (t) => {
  const { fakes, ask } = prepare(t, { codex: "floods" });
  writeFileSync(join(fakes.path, "claude"), "");
  chmodSync(join(fakes.path, "claude"), 0o644);
  const { attempts } = await ask({ mode: "investigate" });
  assert.deepEqual(withoutTimes(attempts), [
    { runner: "codex", ok: false, reason: "output too large: more than 1000000 bytes" },
    { runner: "claude", ok: false, reason: "could not start: EACCES" },
  ]);
});

test("a job without mode asks the default runners in an empty temporary folder even if it carries cwd and timeout_seconds", async (t) => {
  const { fakes, temp, logged, ask } = prepare(t, { claude: "lacks-key", "cursor-agent": "records" });
  const folder = makeTempDir(t);
  writeFileSync(join(folder, "file"), "");
  const { attempts } = await ask({ cwd: folder, timeout_seconds: 0.001 });
  assert.deepEqual(
    attempts.map(({ runner }) => runner),
    ["codex", "claude", "cursor-agent"],
  );
  const { cwd, entries, cwdMode } = readRecord(fakes, "cursor-agent");
  assert.match(String(cwd), new RegExp(`^${temp}/catstack-judge-\\w+$`));
  assert.deepEqual({ entries, cwdMode }, { entries: [], cwdMode: "700" });
  assert.equal(existsSync(String(cwd)), false);
  assert.equal(logged.length, 1);
  assert.match(logged[0] ?? "", /^job job-\S+: ignored timeout_seconds, cwd: for investigate jobs only$/);
});

test("an investigate job runs in its cwd, which is left alone", async (t) => {
  const { fakes, temp, logged, ask } = prepare(t, { codex: "records" });
  const folder = makeTempDir(t);
  writeFileSync(join(folder, "file"), "");
  assert.equal((await ask({ mode: "investigate", cwd: folder })).outcome, "hit");
  const { cwd, entries } = readRecord(fakes, "codex");
  assert.deepEqual({ cwd, entries }, { cwd: folder, entries: ["file"] });
  assert.deepEqual(readdirSync(folder), ["file"]);
  assert.deepEqual(readdirSync(temp), []);
  assert.deepEqual(logged, []);
});

test("a missing, relative, empty or file cwd falls back to a temporary folder and judge.log says refused cwd", async (t) => {
  const { fakes, temp, logged, ask } = prepare(t, { codex: "records" });
  const file = join(temp, 'a "file"');
  writeFileSync(file, "");
  const refused = [
    { cwd: join(temp, "gone"), line: `runner codex: refused cwd "${temp}/gone": does not exist` },
    {
      cwd: join(file, "below"),
      line: String.raw`runner codex: refused cwd "${temp}/a \"file\"/below": does not exist`,
    },
    { cwd: "src", line: 'runner codex: refused cwd "src": is not an absolute path' },
    { cwd: "", line: 'runner codex: refused cwd "": is empty' },
    { cwd: file, line: String.raw`runner codex: refused cwd "${temp}/a \"file\"": is not a folder` },
    { cwd: "/\0", line: String.raw`runner codex: refused cwd "/\u0000": cannot be looked at (ERR_INVALID_ARG_VALUE)` },
  ];
  for (const { cwd, line } of refused) {
    assert.equal((await ask({ mode: "investigate", cwd })).outcome, "hit");
    const record = readRecord(fakes, "codex");
    assert.match(String(record["cwd"]), new RegExp(`^${temp}/catstack-judge-\\w+$`));
    assert.deepEqual(record["entries"], []);
    assert.deepEqual(logged.splice(0), [line]);
  }
});

test("the named runners of CATSTACK_LLM_JUDGE_RUNNERS are asked in our environment, with the prompt as their argument", async (t) => {
  const { fakes, temp, ask } = prepare(t, { stub: "records", codex: "answers", claude: "answers" });
  const env = { CATSTACK_LLM_JUDGE_RUNNERS: '[["stub", ["stub", "-q", "{prompt}"]]]', GITHUB_TOKEN: "secret" };
  for (const mode of ["default", "investigate"] as const) {
    const result = await ask({ mode, prompt: "-h" }, env);
    assert.equal(result.runner, "stub");
    const { args, stdin, env: seen } = readRecord(fakes, "stub");
    assert.deepEqual(args, ["-q", `${FIRST_LINE}\n\n-h`]);
    assert.equal(stdin, "");
    assert.ok(isEnv(seen));
    const { CATSTACK_JOB: job, ...others } = seen;
    assert.match(job ?? "", /^job-/);
    const { CATSTACK_JOB: _job, ...expected } = fixed;
    assert.deepEqual(others, { PATH: fakes.path, HOME: temp, TMPDIR: temp, ...expected });
  }
});

test("a prompt of 1 MiB reaches a runner whole, by stdin", async (t) => {
  const { fakes, ask } = prepare(t, { codex: "records" });
  const prompt = "x".repeat(1024 * 1024);
  assert.equal((await ask({ prompt })).outcome, "hit");
  const { args, stdin } = readRecord(fakes, "codex");
  assert.deepEqual(args, [...codexArgv.slice(1), "-"]);
  assert.equal(stdin, `${FIRST_LINE}\n\n${prompt}`);
});

test("codex gets the user's provider and its key", async (t) => {
  const { fakes, temp, ask } = prepare(t, { codex: "records" });
  mkdirSync(join(temp, ".codex"));
  writeFileSync(join(temp, ".codex", "config.toml"), providerToml);
  await ask({}, { LAB_KEY: "secret" });
  const { args, env } = readRecord(fakes, "codex");
  assert.ok(Array.isArray(args) && args.includes('model_provider="lab"'));
  assert.ok(isEnv(env) && env["LAB_KEY"] === "secret");
});

test("a broken config.toml of codex is noted and codex asked all the same", async (t) => {
  const { temp, logged, ask } = prepare(t, { codex: "answers" });
  mkdirSync(join(temp, ".codex"));
  writeFileSync(join(temp, ".codex", "config.toml"), "model = ");
  assert.equal((await ask()).outcome, "hit");
  assert.equal(logged.length, 1);
  assert.match(logged[0] ?? "", /config\.toml: expected TOML/);
});

test("a watcher that stops ends the runner and asks no other", async (t) => {
  const { fakes, started, ask } = prepare(t, { codex: "ignores-term", claude: "records" });
  const stopping = new AbortController();
  const asking = ask({}, {}, { signal: stopping.signal });
  await fakes.waitForPids("codex");
  stopping.abort();
  const result = await asking;
  assert.equal(result.aborted, true);
  assert.equal(result.outcome, "unchecked");
  assert.deepEqual(withoutTimes(result.attempts), [
    { runner: "codex", ok: false, reason: "aborted: the watcher is stopping" },
  ]);
  assert.equal(fakes.find("claude.json"), undefined);
  assert.ok(started.length === 1 && started.every(({ pid }) => !isRunning(pid)));
});

test("a job that brings its own answer asks nobody", async (t) => {
  const fakes = installFakes(t, { codex: "records" });
  const toEvidence = (answer: Record<string, unknown>) => ({ ...givens, id: "evidence-1", answer });
  const effects: AskEffects = {
    env: { PATH: fakes.path, HOME: fakes.path, CATSTACK_LLM_JUDGE_RUNNERS: "broken" },
    state: "state-1",
    runnerSets: {},
    signal: new AbortController().signal,
    onSpawn: () => assert.fail("expected no process"),
    onSurvivors: () => assert.fail("expected no process"),
    log: () => {},
    resting: nobodyRests,
    onAnswer: () => assert.fail("expected no model"),
  };
  assert.deepEqual(await askRunners(toEvidence({ hit: true, report: "a.txt" }), effects), {
    outcome: "hit",
    reason: "all true: hit",
    answer: { hit: true, report: "a.txt" },
    report: "a.txt",
    runner: "evidence",
    attempts: [],
    aborted: false,
  });
  const lacking = await askRunners(toEvidence({}), effects);
  assert.equal(lacking.outcome, "unchecked");
  assert.equal(lacking.reason, "evidence: answer lacks key: hit");
  assert.equal(lacking.runner, null);
});

test("a temporary folder that cannot be made is a failed attempt, and one that cannot be removed is only told", async (t) => {
  const { temp, ask } = prepare(t, { codex: "answers" });
  const { attempts } = await ask({ mode: "investigate" }, { TMPDIR: join(temp, "gone") });
  assert.deepEqual(withoutTimes(attempts)[0], {
    runner: "codex",
    ok: false,
    reason: "could not start: no temporary folder (ENOENT)",
  });
  assert.match((await removeTempFolder("/\0")) ?? "", /^could not remove /);
});
