/**
 * Variables that say how to print, where to find or keep things, or that nobody is watching: two runs that differ in them alone
 * are runs of one check under the same settings.
 */
const neutral =
  /^(?:CI|TERM|COLUMNS|LINES|PATH|HOME|USER|SHELL|DISPLAY|EDITOR|\w*PAGER|TMP|TEMP|TMPDIR|VIRTUAL_ENV|JAVA_HOME|NODE_(?:ENV|OPTIONS|PATH)|PYTHON\w*|RUST_BACKTRACE|GO(?:CACHE|PATH|MODCACHE|TMPDIR|PROXY|SUMDB|TOOLCHAIN)|GIT_TERMINAL_PROMPT|DEBUG|VERBOSE|\w*LOG(?:_\w*)?|\w*(?:CACHE|COLOU?R|TIMEOUT|TELEMETRY)\w*|(?:UV|PIP|CARGO|RUSTUP|NPM|npm|YARN|PNPM|XDG|DOTNET|GRADLE|MAVEN|MISE|TURBO|NX)_\w+)$/;

const longest = 100;

/** What of `NAME=value` may change what a check does: sorted, long values cut. */
export function selectSettings(env: readonly string[]): readonly string[] {
  if (env.length === 0) return env;
  return env
    .filter((each) => !neutral.test(each.slice(0, each.indexOf("="))))
    .map((each) => each.slice(0, longest))
    .sort();
}
