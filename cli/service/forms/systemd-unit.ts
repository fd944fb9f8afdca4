import { MALLOC_VARIABLE } from "../lean-node.ts";
import type { Service } from "../service.ts";

/** The folder that the user's manager reads (systemd.unit(5), "User Unit Search Path"). */
export function getUnitPath({ configHome }: Service, name: string): string {
  return `${configHome}/systemd/user/${name}`;
}

/** What a person has to know of a unit that runs the watcher. */
export function getUnitRemarks(unit: string): string[] {
  return [
    `settings of your own: systemctl --user edit ${unit}`,
    `its log: journalctl --user --unit ${unit}`,
    "to keep it after you log out: loginctl enable-linger",
  ];
}

/** A file that only its owner can read, named by `EnvironmentFile=` (systemd.exec(5)). */
export function getVariablesPlace(unit: string): string {
  return `a file of mode 600, and name it as EnvironmentFile= under [Service] with: systemctl --user edit ${unit}`;
}

/**
 * The part of a `[Service]` section that both forms share. Keys as in systemd.service(5), systemd.kill(5) and systemd.exec(5) of version
 * 252. Left out, since the model CLIs would fail: `MemoryDenyWriteExecute` (V8 compiles at run time), `ProtectHome` and
 * `ProtectSystem=strict` (logins and sessions are written below the home), `PrivateTmp` (projects in /tmp), `PrivateNetwork`,
 * `SystemCallFilter`, and every setting that implies `NoNewPrivileges`, among them `LockPersonality` and the `Restrict` ones: Codex's
 * sandbox may be a setuid program or need namespaces of its own.
 */
export function formatServiceSection({ program, variables }: Service, args: readonly string[]): string {
  const environment = [...variables, MALLOC_VARIABLE]
    .map(([name, value]) => `Environment=${quote(`${name}=${value}`)}\n`)
    .join("");
  // The notifications are sent by a child, and the unit's processes are ours.
  return `[Service]
Type=notify
NotifyAccess=all
WatchdogSec=120
# The model CLIs are looked up on this PATH, and node for those that begin with env node.
${environment}ExecStart=${formatCommand([...program, ...args])}
ExecReload=kill -HUP $MAINPID
# Only the watcher hears of a stop: it ends what it runs. What is left after 30 s is killed, wherever it went.
KillMode=mixed
TimeoutStopSec=30
UMask=0077
TasksMax=2048
# A model CLI that takes too much is ended, the watcher goes on.
MemoryMax=50%
OOMPolicy=continue
`;
}

/**
 * A command line (systemd.service(5), "Command Lines"): specifiers and variables are taken literally. The program itself is not searched
 * for variables, and may hold no quote and no backslash; env, which starts any, stands in then.
 */
function formatCommand(argv: readonly string[]): string {
  const [program = "", ...args] = /["'\\]/.test(argv[0] ?? "") ? ["/usr/bin/env", ...argv] : argv;
  return [quote(program), ...args.map((arg) => quote(arg.replaceAll("$", "$$$$")))].join(" ");
}

/** One word (systemd.syntax(7), "Quoting"), with specifiers (systemd.unit(5)) taken literally. */
function quote(text: string): string {
  const literal = escapeSpecifiers(text);
  if (/^[\w./:=@%+,-]+$/.test(literal)) return literal;
  return `"${literal.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

export function escapeSpecifiers(text: string): string {
  return text.replaceAll("%", "%%");
}
