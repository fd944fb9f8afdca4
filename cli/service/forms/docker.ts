import { dirname } from "node:path";
import { MALLOC_VARIABLE } from "../lean-node.ts";
import type { Argv, Form, Service } from "../service.ts";
import { sign } from "../signature.ts";

/**
 * A Compose file. Printed and argued, never run: written from the Compose specification (services, build, interpolation). The state
 * directory is mounted from the host, where the hooks write; on a mount whose events do not come through, the watcher looks every 2 s.
 * `init` reaps what model CLIs leave behind. Where Docker's own limits keep Codex from opening its sandbox, its answers fail and Claude
 * Code is asked. An image from node's own, since a container has no use for the host's Node.
 */
export const docker: Form = {
  name: "docker",
  summary: "a Compose file for Docker",
  getFiles: (service) => [{ path: getPath(service), text: sign(formatCompose(service)) }],
  getStart: (service) => [getUp(service)],
  getUpdate: (service) => [getUp(service)],
  getStop: () => [["docker", "compose", "--project-name", "catstack", "down"]],
  runsItsCommands: false,
  variablesPlace: "a Compose file of your own, named in the command by a second --file",
  remarks: [
    "this form follows Compose's specification and was not run by us: check it with docker compose config",
    "jobs that read a project need it under its own path in the container: name it in a Compose file of your own and that one in the command, by a second --file",
  ],
};

function getPath({ configHome }: Service): string {
  return `${configHome}/catstack/service/compose.yaml`;
}

function getUp(service: Service): Argv {
  return ["docker", "compose", "--file", getPath(service), "up", "--build", "--detach"];
}

/** The account has no home in the image, so everything that lies below it is named. */
function formatCompose(service: Service): string {
  const { program, uid, gid, configHome, stateDir, claudeDir, codexDir } = service;
  const [, ...args] = program;
  const bundle = args.at(-1) ?? "";
  const environment = [
    ["HOME", "/tmp"],
    ["XDG_CONFIG_HOME", configHome],
    ["CATSTACK_LLM_JUDGE_STATE_DIR", stateDir],
    ["CLAUDE_CONFIG_DIR", claudeDir],
    ["CODEX_HOME", codexDir],
    MALLOC_VARIABLE,
  ] as const;
  return `name: catstack
services:
  watch:
    build:
      dockerfile_inline: |
        FROM node:22-slim
        RUN npm install --global @openai/codex @anthropic-ai/claude-code
    init: true
    user: ${quote(`${uid}:${gid}`)}
    command: ${quoteList(["node", ...args, "watch"])}
    environment:
${environment.map(([name, value]) => `      ${name}: ${quote(value)}\n`).join("")}    volumes:
${formatMount(stateDir)}${formatMount(claudeDir)}${formatMount(codexDir)}${formatMount(configHome + "/catstack", true)}${formatMount(dirname(bundle), true)}    stop_grace_period: 40s
    restart: unless-stopped
    healthcheck:
      test: ${quoteList(["CMD", "node", bundle, "status"])}
      interval: 60s
      timeout: 20s
      retries: 3
      start_period: 60s
`;
}

/** What is not there is an error: Docker would make it, as root. */
function formatMount(path: string, isReadOnly = false): string {
  return `      - type: bind
        source: ${quote(path)}
        target: ${quote(path)}
        read_only: ${isReadOnly}
        bind:
          create_host_path: false
`;
}

function quoteList(texts: readonly string[]): string {
  return `[${texts.map(quote).join(", ")}]`;
}

/** A JSON string is one of YAML; Compose puts variables in where it finds a single dollar sign. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll("$", "$$$$");
}
