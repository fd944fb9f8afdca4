import { MALLOC_VARIABLE } from "../lean-node.ts";
import type { Argv, Form, Service } from "../service.ts";
import { sign, type Comment } from "../signature.ts";

const COMMENT: Comment = ["; ", ""];
/** Debian's folder of programs. */
const INSTALLED = "/etc/supervisor/conf.d/catstack.conf";
const UPDATE: Argv = ["sudo", "supervisorctl", "update"];

/**
 * A program section for supervisord 4.2, run for real in the tests. Keys as in its manual ("[program:x] Section Settings"). Exit codes
 * that only a person can mend count as expected, which is supervisord's way of not starting it again. A stop goes to the watcher alone;
 * the kill after 30 s to its group.
 */
export const supervisord: Form = {
  name: "supervisord",
  summary: "a program section for supervisord",
  getFiles: (service) => [{ path: getPath(service), text: sign(formatSection(service), COMMENT) }],
  getStart: (service) => [getCopy(service), UPDATE],
  getUpdate: (service) => [getCopy(service), UPDATE],
  getStop: () => [["sudo", "rm", INSTALLED], UPDATE],
  runsItsCommands: false,
  variablesPlace: "environment= under [supervisord] in its configuration, which only root should read",
  remarks: ["where supervisord reads another folder, put the file there: [include] in its configuration names it"],
};

function getPath({ configHome }: Service): string {
  return `${configHome}/catstack/service/supervisord.conf`;
}

/** Copied and not linked: what root's supervisord reads must be root's. */
function getCopy(service: Service): Argv {
  return ["sudo", "install", "-m", "644", getPath(service), INSTALLED];
}

/**
 * The variables are set by env: `environment=` has no way to write a value that holds both kinds of quotes, or ` #`. HOME is among
 * them, since supervisord does not set it for `user`.
 */
function formatSection({ program, variables, home, user }: Service): string {
  const account = [
    ["HOME", home],
    ["USER", user],
  ];
  const environment = [...account, ...variables, MALLOC_VARIABLE].map(([name, value]) => `${name}=${value}`);
  const command = ["/usr/bin/env", ...environment, ...program, "watch"];
  return `[program:catstack]
command=${command.map(quote).join(" ")}
user=${escapePercent(user)}
umask=077
autostart=true
autorestart=unexpected
exitcodes=0,2,77,78
startsecs=3
startretries=10
stopsignal=TERM
stopwaitsecs=30
stopasgroup=false
killasgroup=true
redirect_stderr=true
stdout_logfile_maxbytes=5MB
stdout_logfile_backups=2
`;
}

/**
 * One word: unquoted as a shell would (Python's shlex), after expansions by `%`. Backslashes and no quotes: a blank before `;` or `#`,
 * even in quotes, would begin a comment.
 */
function quote(text: string): string {
  return escapePercent(text).replace(/[^\w./:=@%+,\u0080-\u{10ffff}-]/gu, "\\$&");
}

function escapePercent(text: string): string {
  return text.replaceAll("%", "%%");
}
