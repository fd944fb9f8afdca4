import { spawnSync } from "node:child_process";

const script = 'echo 0 > /proc/sys/user/max_inotify_watches && exec "$@"';

/**
 * The command line of a program to which the kernel tells no change of any file: in a user namespace of its own it may have no inotify
 * watch. Every other part of it is as ever, the process too.
 */
export function deafen(argv: readonly string[]): string[] {
  return ["unshare", "--user", "--map-root-user", "/bin/sh", "-c", script, "sh", ...argv];
}

/** Whether this machine lets us make such a namespace. */
export function canDeafen(): boolean {
  const [file = "", ...args] = deafen(["true"]);
  return spawnSync(file, args, { stdio: "ignore" }).status === 0;
}
