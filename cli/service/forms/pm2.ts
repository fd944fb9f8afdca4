import { MALLOC_VARIABLE } from "../lean-node.ts";
import type { Form, Service } from "../service.ts";
import { sign, type Comment } from "../signature.ts";

const COMMENT: Comment = ["// ", ""];
const NAME = "catstack";

/**
 * A process file for pm2, run for real in the tests with version 7. Keys as in its documentation ("Ecosystem File", "Graceful
 * Start/Shutdown"). Node is started as any program (`interpreter` none): pm2's own loader would add its metrics to the watcher. Stopping
 * sends SIGINT and, without `treekill`, to the watcher alone: pm2 would else interrupt the model CLIs at the same moment, and their jobs
 * would end unanswered where the watcher gives them back. A watcher that ends is started again, after 15 s at the most, whatever its exit
 * code: without a delay pm2 would try without a pause, and with one it shows what `stop_exit_codes` ended as waiting for its next start.
 */
export const pm2: Form = {
  name: "pm2",
  summary: "a process file for pm2",
  getFiles: (service) => [{ path: getPath(service), text: sign(formatProcessFile(service), COMMENT) }],
  getStart: (service) => [
    ["pm2", "start", getPath(service)],
    ["pm2", "save"],
  ],
  // pm2 keeps what it knows of an app that it only restarts.
  getUpdate: (service) => [
    ["pm2", "delete", NAME],
    ["pm2", "start", getPath(service)],
    ["pm2", "save"],
  ],
  getStop: () => [
    ["pm2", "delete", NAME],
    ["pm2", "save"],
  ],
  runsItsCommands: false,
  variablesPlace: "the shell in which you run pm2 start",
  remarks: [
    "to start it with the machine: pm2 startup",
    "its log grows without end, unless pm2-logrotate is installed",
  ],
};

/** pm2 takes a file for a process file by its name; `.cjs` works whatever a package.json above it says. */
function getPath({ configHome }: Service): string {
  return `${configHome}/catstack/service/catstack.config.cjs`;
}

function formatProcessFile({ program: [node, ...args], variables, home }: Service): string {
  const app = {
    name: NAME,
    script: node,
    args: [...args, "watch"],
    interpreter: "none",
    exec_mode: "fork",
    cwd: home,
    env: Object.fromEntries([...variables, MALLOC_VARIABLE]),
    wait_ready: true,
    listen_timeout: 30_000,
    kill_timeout: 30_000,
    treekill: false,
    autorestart: true,
    exp_backoff_restart_delay: 1000,
  };
  return `module.exports = ${JSON.stringify({ apps: [app] }, undefined, 2)};\n`;
}
