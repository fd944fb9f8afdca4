/**
 * The first import of every test file of this folder: installs the clients while there is a network, then starts the file again where
 * there is none but 127.0.0.1. Nothing that a client tries can leave the machine then.
 */
import { spawnSync } from "node:child_process";
import { installClients, parseInstalled } from "./install-clients.ts";

const FOUND = "CATSTACK_TEST_CLIENTS";
const ALONE = "CATSTACK_TEST_ALONE";

/** `unshare` wants root, or leave for user namespaces. */
const ways = [
  ["unshare", "--net"],
  ["unshare", "--map-root-user", "--net"],
];
const START = ["sh", "-c", 'ip link set lo up && exec "$@"', "sh"];

if (process.env[FOUND] === undefined) {
  const installed = installClients(process.env);
  const way = ways.find(([file = "", ...args]) => spawnSync(file, [...args, ...START, "true"]).status === 0);
  const [file = "", ...args] = [
    ...(way === undefined ? [] : [...way, ...START]),
    process.execPath,
    ...process.execArgv,
    ...process.argv.slice(1),
  ];
  const env = { ...process.env, [FOUND]: JSON.stringify(installed), ...(way && { [ALONE]: "1" }) };
  const { status } = spawnSync(file, args, { stdio: "inherit", env });
  process.exit(status ?? 1);
}

export const installed = parseInstalled(process.env[FOUND]);

/** Without a namespace the clients see this machine's network; they are only told of servers on 127.0.0.1. */
export const isAlone = process.env[ALONE] !== undefined;
