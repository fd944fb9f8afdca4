import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";

const receiver = `
import json, socket, sys
name = sys.argv[1]
inbox = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
inbox.bind("\\0" + name[1:] if name.startswith("@") else name)
print(json.dumps("bound"), flush=True)
while True:
    print(json.dumps(inbox.recv(65536).decode()), flush=True)
`;

/** Whether both ends are here: what sends to a service manager, and what can stand in for one. */
export function canNotify(): boolean {
  return [
    ["systemd-notify", "--version"],
    ["python3", "--version"],
  ].every(([file = "", ...args]) => spawnSync(file, args, { stdio: "ignore" }).status === 0);
}

/**
 * Stands in for a service manager: receives on a datagram socket at a path, or with a leading `@` in the abstract name space. Gives the
 * messages so far, each the lines of one, without those by which the sender only waits.
 */
export async function receiveNotifications(t: TestContext, name: string): Promise<() => readonly string[][]> {
  const child = spawn("python3", ["-c", receiver, name], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  t.after(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const messages: string[][] = [];
  await new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const message = String(JSON.parse(line));
      if (message === "bound") resolve();
      else if (message !== "BARRIER=1") messages.push(message.trim().split("\n"));
    });
  });
  return () => messages;
}
