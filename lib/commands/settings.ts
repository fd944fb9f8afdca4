/**
 * Variables that say how to print, where to find or keep things, or that nobody is watching: two runs that differ in them alone
 * are runs of one check under the same settings.
 */
const neutralNames =
  toSet(`CI COLUMNS DEBUG DISPLAY EDITOR GIT_TERMINAL_PROMPT GOMODCACHE GOPATH GOPROXY GOSUMDB GOTMPDIR HOME JAVA_HOME LINES
  NODE_ENV NODE_OPTIONS NODE_PATH PATH RUST_BACKTRACE SHELL TEMP TERM TMP TMPDIR USER VERBOSE VIRTUAL_ENV`);

/** Families of such variables, by how the name begins: the tools' own settings of how they fetch and keep. */
const neutralStarts =
  "CARGO_ DOTNET_ GRADLE_ MAVEN_ MISE_ NPM_ NX_ PIP_ PNPM_ PYTHON RUSTUP_ TURBO_ UV_ XDG_ YARN_ npm_".split(" ");

/** The same, by a part of the name. */
const neutralParts = /(?:CACHE|COLOU?R|TIMEOUT|TELEMETRY)|(?:^|_)LOG(?:_|$)|PAGER$/;

/** Of these families the ones that choose a platform, a version or an environment. */
const telling = toSet("CARGO_BUILD_TARGET DOTNET_ENVIRONMENT MISE_ENV RUSTUP_TOOLCHAIN UV_PYTHON");

const longest = 100;

/** What of `NAME=value` may change what a check does: sorted, long values cut. */
export function selectSettings(env: readonly string[]): readonly string[] {
  if (env.length === 0) return env;
  return env
    .filter((each) => !isNeutral(each.slice(0, each.indexOf("="))))
    .map((each) => each.slice(0, longest))
    .sort();
}

function isNeutral(name: string): boolean {
  if (telling.has(name)) return false;
  return neutralNames.has(name) || neutralStarts.some((start) => name.startsWith(start)) || neutralParts.test(name);
}

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
