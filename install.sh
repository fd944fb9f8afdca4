#!/bin/sh
# Sets up this checkout of catstack. All that can be undone is done by `catstack install`; this only builds and calls it.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")"

usage() {
  cat <<'TEXT'
Usage: ./install.sh [--demo | --uninstall | --help] [OPTION...]

  (nothing)    build, then add the hooks to Claude Code's settings (--dry-run: only print what would change)
  --demo       build, then show the whole way from a session to a verdict; writes nothing in the home directory but npm's cache
               (--real: ask your own codex or claude, --keep: keep the demo's files)
  --uninstall  take out what an install put in, and nothing else (--dry-run: only print what would change)
TEXT
}

build() {
  if ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then
    echo "install.sh: expected node and npm on PATH, found none; install Node 20.19 or newer and run this again" >&2
    exit 1
  fi
  if ! node -e 'var v = process.versions.node.split("."); process.exit(v[0] > 20 || (v[0] == 20 && v[1] >= 19) ? 0 : 1)'; then
    echo "install.sh: expected Node 20.19 or newer, got $(node --version); update Node and run this again" >&2
    exit 1
  fi
  echo "fetching dependencies (npm ci)"
  npm ci --no-audit --no-fund --no-update-notifier --loglevel=error >/dev/null
  echo "building dist/"
  npm run --silent build
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
  case $action,$option in
    *,--help | *,-h) usage && exit 0 ;;
  esac
done
for option in "$@"; do
  case $action,$option in
    install,--dry-run | uninstall,--dry-run | demo,--real | demo,--keep) ;;
    install,--demo | install,--uninstall) refuse "expected $option as the first option, got it after another; one of them at a time" ;;
    install,*) refuse "unknown option $option" ;;
    *) refuse "unknown option $option for --$action" ;;
  esac
done

# Taking out needs no fresh build.
[ "$action" = uninstall ] && [ -f dist/catstack.mjs ] || build
exec node dist/catstack.mjs "$action" "$@"
