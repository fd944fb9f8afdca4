import { test } from "node:test";
import type { TestContext } from "node:test";
import { lacks } from "../helpers/skip.ts";
import type { Clients } from "./install-clients.ts";
import { installed, isAlone } from "./own-network.ts";

const LIMIT_MS = 180_000;

/** With the newest versions a failure is a finding: it is printed, and fails nothing. */
const todo =
  process.env["CATSTACK_CLIENTS"] === "newest" ? "the newest clients are reported on and gate nothing" : false;

if (installed.ok) console.log(`with ${installed.clients.versions}`);

/** A test with the real clients; skipped aloud where they cannot be had. */
export function clientTest(name: string, run: (t: TestContext, clients: Clients) => Promise<void>): void {
  test(name, { todo, timeout: LIMIT_MS }, async (t) => {
    if (!installed.ok) {
      lacks(t, false, `the clients from npm (${installed.reason})`);
      return;
    }
    if (!isAlone) t.diagnostic("no network namespace here: the clients run on this machine's own network");
    await run(t, installed.clients);
  });
}
