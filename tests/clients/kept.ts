/** Settings that were there before us, each with a hook of the person's own. */
export const OWN_SETTINGS: Readonly<Record<string, string>> = {
  ".claude/settings.json": `{\n   "hooks" : { "Stop": [ { "hooks": [{ "type":"command", "command":"true" }] } ] },\n\t"cleanupPeriodDays": 20\n}`,
  ".codex/hooks.json": '{ "hooks": {"Stop": [{"hooks":[ {"type": "command", "command": "true"} ]}] } }\n\n',
};

/** What a client keeps for itself below a home. */
export const KEPT_BY_CLIENT = {
  claude:
    /^\.(claude\.json$|claude\/(backups|projects|sessions|shell-snapshots|session-env|plugins|todos|tasks|statsig|file-history)(\/|$))/,
  codex:
    /^\.codex\/(\.sandbox_migration|\.tmp|tmp|sessions|shell_snapshots|skills|log|installation_id|\w+_\d+\.sqlite(-\w+)?|history\.jsonl|thread-writer-locks)(\/|$)/,
};
/** What we keep, and `uninstall` names: jobs, verdicts and marks. */
export const KEPT_BY_US = /^\.(local(\/state(\/catstack(\/.*)?)?)?|cache(\/catstack-verdict-flip-watch(\/.*)?)?)$/;
