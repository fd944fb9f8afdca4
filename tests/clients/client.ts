import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { anthropic } from "./anthropic.ts";
import type { Clients } from "./install-clients.ts";
import type { Call, Protocol } from "./model-server.ts";
import { openai } from "./openai.ts";

/** What differs between the two clients when one is driven by a script. */
export interface Client {
  readonly name: "claude" | "codex";
  readonly protocol: Protocol;
  readonly getProgram: (clients: Clients) => string;
  /** Below the home: where it keeps transcripts. */
  readonly transcripts: string;
  /** Writes what the client must find in the home to ask the server, and gives the variables that it needs. */
  readonly connect: (home: string, url: string) => Record<string, string>;
  /** The model's call that runs a command. */
  readonly runs: (command: string) => Call;
  /** The model's call that starts a sub-agent with this prompt. */
  readonly sendsOut: (prompt: string) => Call;
  /** The arguments of one turn without a person at a screen: of a new session, of the latest one, or of a session by its id. */
  readonly getTurnArgs: (prompt: string, session?: Session, isPlain?: boolean) => readonly string[];
  /** Writes what the client has from somebody who has used it before: no greeting, no questions about the folder. */
  readonly makeAtHome: (home: string, project: string) => void;
  /** The arguments with which somebody sits at its screen: it runs commands without asking. */
  readonly screenArgs: readonly string[];
}

/** Which session a turn belongs to: the latest one, or one by its id, or a copy of that which goes its own way. */
export type Session = "latest" | { readonly id: string; readonly isFork?: true };

export const claude: Client = {
  name: "claude",
  protocol: anthropic,
  getProgram: ({ claude: program }) => program,
  transcripts: ".claude/projects",
  connect: (_, url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "sk-made-up" }),
  runs: (command) => ({ tool: "Bash", input: { command, description: "Runs it" } }),
  sendsOut: (prompt) => ({ tool: "Agent", input: { description: "helps", prompt, subagent_type: "general-purpose" } }),
  getTurnArgs(prompt, session, isPlain = false) {
    const start = ["-p", "--model", "haiku", ...(isPlain ? [] : ["--verbose", "--output-format", "stream-json"])];
    const which =
      session === undefined
        ? []
        : session === "latest"
          ? ["--continue"]
          : ["--resume", session.id, ...(session.isFork ? ["--fork-session"] : [])];
    return [...start, ...which, "--allowedTools", "Bash", "Agent", "--", prompt];
  },
  makeAtHome(home, project) {
    const known = {
      hasCompletedOnboarding: true,
      customApiKeyResponses: { approved: ["sk-made-up"], rejected: [] },
      projects: { [project]: { hasTrustDialogAccepted: true } },
    };
    writeFileSync(join(home, ".claude.json"), JSON.stringify(known));
  },
  screenArgs: ["--model", "haiku", "--allowedTools", "Bash"],
};

export const codex: Client = {
  name: "codex",
  protocol: openai,
  getProgram: ({ codex: program }) => program,
  transcripts: ".codex/sessions",
  connect(home, url) {
    const config = join(home, ".codex", "config.toml");
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, renderCodexConfig(url));
    return { FAKE_KEY: "sk-made-up" };
  },
  runs: (command) => ({ tool: "exec_command", input: { cmd: command } }),
  sendsOut: (message) => ({ tool: "spawn_agent", namespace: "multi_agent_v1", input: { message } }),
  getTurnArgs(prompt, session) {
    if (typeof session === "object" && session.isFork) throw new Error("codex exec forks no session; its screen does");
    const which = session === undefined ? [] : ["resume", session === "latest" ? "--last" : session.id];
    const trust = [
      "--dangerously-bypass-hook-trust",
      "--skip-git-repo-check",
      "-c",
      'sandbox_mode="danger-full-access"',
    ];
    return ["exec", ...which, ...trust, "-m", "gpt-5.3-codex-spark", "--", prompt];
  },
  makeAtHome: () => {},
  screenArgs: ["-m", "gpt-5.3-codex-spark", "--dangerously-bypass-approvals-and-sandbox"],
};

/** A config.toml with the provider that is the server, and nothing else. */
function renderCodexConfig(url: string): string {
  return [
    'model_provider = "fake"',
    "[model_providers.fake]",
    'name = "fake"',
    `base_url = "${url}/v1"`,
    'wire_api = "responses"',
    'env_key = "FAKE_KEY"',
    "request_max_retries = 0",
    "stream_max_retries = 0",
    "",
  ].join("\n");
}
