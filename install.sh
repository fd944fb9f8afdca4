#!/bin/sh
# Sets up this checkout of catstack. All that can be undone is done by `catstack install`; this only builds and calls it.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")"

usage() {
  cat <<'TEXT'
Usage: ./install.sh [OPTION...]
       ./install.sh --uninstall [OPTION...]
       ./install.sh --demo [OPTION...]

  (nothing)    build, then add the hooks to the settings of Claude Code, Codex and Cursor, whichever is there
    --only LIST    only these: some of claude, codex and cursor, with commas
    --yes          do not ask; keep the watcher running under the supervisor that is found
    --no-service   leave the watcher to you
    --dry-run      only print what would change, and how; node_modules/ and dist/ of this checkout are made all the same
  --uninstall  take out what an install put in, the service too
    --only LIST, --dry-run   as above
    --purge        remove all jobs and verdicts as well
  --demo       build, then show the whole way from a session to a verdict; writes nothing in the home directory but npm's cache
    --real         ask your own codex or claude
    --keep         keep the demo's files
TEXT
}

expect_node() {
  if ! command -v node >/dev/null 2>&1; then
    echo "install.sh: expected node on PATH, found none; install Node 20.19 or newer and run this again" >&2
    exit 1
  fi
  if ! node -e 'var v = process.versions.node.split("."); process.exit(v[0] > 20 || (v[0] == 20 && v[1] >= 19) ? 0 : 1)'; then
    echo "install.sh: expected Node 20.19 or newer, got $(node --version); update Node and run this again" >&2
    exit 1
  fi
}

build() {
  if ! command -v npm >/dev/null 2>&1; then
    echo "install.sh: expected npm on PATH, found none; install it (it comes with Node) and run this again" >&2
    exit 1
  fi
  if is_fetched; then
    echo "dependencies are as package-lock.json has them"
  else
    echo "fetching dependencies (npm ci)"
    fetch
  fi
  echo "building dist/"
  npm run --silent build || {
    rm -f "$note"
    echo "install.sh: expected to build dist/, got the error above; run this again to fetch the dependencies anew" >&2
    exit 1
  }
}

# What node_modules/ was made from, written once all of it is there: npm ci begins by removing it with the rest.
note=node_modules/.catstack-fetched

# The packages are also those of one kind of machine.
describe_wanted() {
  uname -sm
  cat package-lock.json
}

is_fetched() {
  [ -f "$note" ] && [ "$(describe_wanted)" = "$(cat "$note")" ]
}

# The build needs what npm leaves out where NODE_ENV or an npmrc say so.
fetch() {
  npm ci --include=dev --include=optional --no-audit --no-fund --no-update-notifier --loglevel=error >/dev/null
  describe_wanted >"$note.new"
  mv "$note.new" "$note"
}

refuse() {
  echo "install.sh: $1" >&2
  usage >&2
  exit 2
}

action=install
case ${1-} in
  --demo) action=demo && shift ;;
  --uninstall) action=uninstall && shift ;;
esac

# Everything is looked at before anything is built.
for option in "$@"; do
  case $option in
    --help | -h) usage && exit 0 ;;
  esac
done
value=
for option in "$@"; do
  if [ -n "$value" ]; then
    value=
    continue
  fi
  case $action,$option in
    install,--dry-run | install,--yes | install,--no-service | uninstall,--dry-run | uninstall,--purge | demo,--real | demo,--keep) ;;
    install,--only | uninstall,--only) value=missing ;;
    install,--only=* | uninstall,--only=*) ;;
    install,--demo | install,--uninstall) refuse "expected $option as the first option, got it after another; one of them at a time" ;;
    install,*) refuse "unknown option $option" ;;
    *) refuse "unknown option $option for --$action" ;;
  esac
done
[ -z "$value" ] || refuse "expected a list behind --only, got nothing"

expect_node
# Taking out needs no fresh build.
if [ "$action" != uninstall ] || [ ! -f dist/catstack.mjs ]; then
  case " $* " in
    *" --dry-run "*)
      # npm keeps a cache and logs in the home directory.
      npm_config_cache=$(mktemp -d)
      export npm_config_cache
      trap 'rm -rf "$npm_config_cache"' EXIT
      build
      trap - EXIT
      rm -rf "$npm_config_cache"
      unset npm_config_cache
      ;;
    *) build ;;
  esac
fi
exec node dist/catstack.mjs "$action" "$@"
