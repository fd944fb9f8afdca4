import type { Lines } from "../tools/tool.ts";

/** The container or machine it was to run in is not there. */
const withoutPlace: readonly RegExp[] = [
  /^ssh: (?:connect to host|Could not resolve hostname) /,
  /^Connection (?:to \S+ )?closed by /,
  /^Host key verification failed\./,
  /^\S+: Permission denied \((?:publickey|password|keyboard)/,
  /^service "[^"]+" is not running/,
  /^no such service: /,
  /^(?:ERROR: )?Cannot connect to the Docker daemon at /,
  /^(?:Error response from daemon|Error): (?:No such container: |[Cc]ontainer \S+ is (?:not running|paused|restarting))/,
  /^OCI runtime exec failed: /,
  /^the input device is not a TTY/,
  /^error: unable to upgrade connection: /,
  /^Error from server \(\w+\): /,
  /^The connection to the server \S+ was refused/,
  /^error: You must be logged in to the server/,
];

/** The check never started, whatever the tool: said by shells, interpreters and launchers. */
export const neverStarted: readonly RegExp[] = [
  /^(?:\S+: )?(?:line \d+: )?(?:\S+: )?command not found(?:: \S+)?$/,
  /^(?:\/bin\/)?(?:ba|z|da|k)?sh: (?:(?:line )?\d+: )?\S+: (?:command )?not found$/,
  /^(?:\/bin\/)?(?:ba|z|da|k)?sh: (?:line \d+: )?\S+: (?:No such file or directory|Permission denied|Is a directory)$/,
  /^(?:\(eval\):\d+: |\S*zsh:\d+: |\S+: line \d+: )(?:no such file or directory|command not found|permission denied)/,
  /^(?:\S+: )?(?:line \d+: )?cd: .*(?:No such file or directory|Not a directory|no such file or directory)/,
  /^\S*python[\d.]*: can't open file /,
  /^\S*python[\d.]*: No module named /,
  /^(?:env|timeout|nohup|xargs|sudo): .*(?:No such file or directory|failed to run command|command not found)/,
  /^error: Failed to spawn: /,
  /^\s*ERR_PNPM_\w+\s+Command "[^"]+" not found/,
  /^npm (?:ERR!|error) could not determine executable to run/,
  /^npm (?:ERR!|error) (?:code )?E(?:404|NOENT|AI_AGAIN|NOTFOUND)\b/,
  /^error: (?:unknown (?:command|option)|unexpected argument|unrecognized (?:subcommand|option))/,
  /^Error: unknown (?:flag|command|shorthand)/,
  /^flag provided but not defined: /,
  /^(?:\S+: )?error: (?:unrecognized arguments|the following arguments are required):/,
  /^- \S+\/node_modules\/npm\/(?:lib|bin)\/[\w-]+\.js$/,
  /^npm (?:ERR!|error) Missing script: /,
  /^npm (?:ERR!|error) (?:enoent|code ENOENT)/,
  /\bERR_PNPM_(?:NO_SCRIPT|RECURSIVE_RUN_NO_SCRIPT|NO_IMPORTER_MANIFEST_FOUND|UNSUPPORTED_ENGINE)\b/,
  /^error: Script not found "/,
  /^error Command "[^"]+" not found\./,
  /^error Couldn't find a package\.json/,
  /^Usage Error: Couldn't find a script named/,
  /^error: script "[^"]+" exited with code 12[67]/,
  /^run \d+ is still in progress/,
  /^'[^']+' is not recognized as an internal or external command/,
  /^Error: Cannot find module '\/[^']+\.[cm]?[jt]s'/,
  ...withoutPlace,
  /^(?:\^C)?g?make(?:\[\d+\])?: \*\*\* \[.*\] (?:Interrupt|Terminated|Killed)$/,
  /^(?:\S+: )?(?:line \d+: )?\s*\d+ Killed\b/,
  /^Killed$/,
  /^npm (?:ERR!|error) canceled$/,
  /^(?:Internal Error: .* seem to be present in your lockfile|Usage Error: The project in .* seem to have been installed)/,
  /^\s*× No solution found when resolving dependencies/,
  /^(?:bundler: )?[Cc]ommand not found: \S+$/,
  /^Could not find (?:gem '|\S+ in (?:locally installed gems|any of the sources))/,
  /^(?:ERROR|Error): JAVA_HOME is /,
  /^The JAVA_HOME environment variable is not defined/,
  /^A compatible \.NET SDK was not found/,
  /^mise ERROR Config files? .* not trusted/,
  /^error: Recipe `[^`]+` could not be run because/,
];

/** Words that many home-made checks end with. Only whole summary lines count, never a word somewhere in a line. */
export const plainLines: Lines = {
  fail: [
    /^Traceback \(most recent call last\):/,
    /^(?:FAIL|FAILED|FAILURE)(?::|\s|$)(?!:? *(?:0|none)\b)(?!.*\b(?:0|no) (?:failed|failures|errors)\b)/,
    /^(?:\w+: )?[1-9]\d* (?:error|Error)s?,? (?:and )?\d+ [Ww]arnings?\b/,
    /(?:^|[:,|(=] *)[1-9]\d* (?:tests? |checks? |specs? |assertions? |suites? )?(?:failed|Failed|FAILED|failures?|failing)\b(?! (?!tests?\b|checks?\b|specs?\b|in\b|of\b|out\b|and\b)[a-z])/,
    /\b(?:failed|Failed|FAILED|failures|Failures|errors|Errors)[:=] *[1-9]\d*\b/,
    /^(?:\w+ )?(?:[Tt]est|[Cc]heck|[Vv]erification|[Vv]alidation|[Bb]uild|[Ll]int)s? (?:has |have )?(?:failed|FAILED)\b/,
    /^(?:fatal|Fatal|error|Error|ERROR): (?!none\b|0\b|no\b)/,
    /^(?:\w*Error|Assertion failed)(?::(?! *(?:none\b|0\b|no\b))|$)/,
    /^(?:[Ee]xit(?:ed)?(?: with)?|[Pp]rocess exited with)(?: (?:code|status))?[ :=]+[1-9]\d*\b/,
  ],
  pass: [
    /(?:^|[:,|(=] *)(?:[Aa]ll )?(?:[1-9]\d* )?(?:[Tt]est|[Cc]heck|[Aa]ssertion|[Ss]pec|[Ss]uite)s? (?:have |has )?(?:pass(?:ed)?|PASSED)\b/,
    /(?:^|[:,|(=] *)(?:([1-9]\d*)\/\1|(?<![\d/])[1-9]\d*) (?:tests? |checks? |assertions? )?(?:passed|Passed|PASSED|passing)\b/,
    /^(?:✓|✔|✅) (?:[Aa]ll|[Ee]verything)\b/,
    /^(?:\w+ ){0,3}(?:OK|PASS|PASSED|SUCCESS|SUCCEEDED)[.!]?$/,
    /^(?:PASS|PASSED|OK|ok)(?::|\s|$)/,
    /\b(?:passed|Passed|PASSED)[:=] *[1-9]\d*\b/,
    /\bis valid[.!]?$/,
    /\b[Nn]o (?:issues|errors|problems|violations|failures|differences)(?: found| detected)?[.!]?$/,
    /^[Ee]xit(?:ed)?(?: with)?(?: (?:code|status))?[ :=]+0\b/,
  ],
  problem: [
    /\b(?!(\d+)\/\1\b)\d+\/\d+ (?:tests? |checks? )?passed\b/,
    /\bis (?:invalid|not valid)\b/,
    /^\s*(?:✗|✘|✖|❌|🔴)(?:\s|$)/,
    /^\s*(?:ERROR|error)(?::|\b(?=\s))(?!:? (?:none|0)\b)(?! task failed)/,
  ],
};

/** Lines that shells, harnesses and package managers add; they say nothing about the check. */
export const chatter: readonly RegExp[] = [
  /^\s*$/,
  /^> \S/,
  /^\$ \S/,
  /^\[[\w:-]+\] \$ /,
  /^yarn run v\d/,
  /^Done in \d/,
  /^\(Bash completed with no output\)$/,
  /^Shell cwd was reset to /,
  /^(?:npm|pnpm) (?:notice|warn|WARN)\b/,
  /^Scope: \d+ of \d+/,
];

/** What a line shows when a search for failures finds none. */
export const noFailures: readonly RegExp[] = [
  ...chatter,
  /^\s*0$/,
  /^\W*(?:no (?:type |lint |test )?(?:errors?|failures?|issues|matches)|none|clean|ok|all (?:good|clean|green|pass(?:ed|ing)?))\W*$/i,
];
