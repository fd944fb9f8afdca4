#!/bin/sh
# Runs the hook bundle beside this file. It always ends in exit 0: a missing Node or bundle must never hold up a turn.
# Built-in commands only, and no second process before Node: this runs on every turn.
here=${0%/*}

# Cursor expects JSON of every hook, also of one that cannot run.
give_up() {
  [ "$1" != cursor ] || echo '{}'
  exit 0
}

[ -f "$here/start.cjs" ] && [ -r "$here/start.cjs" ] || give_up "$1"

# Whatever is wrong with the bundle ends inside start.cjs; one that is itself cut short or damaged would end in a stack trace.
text=
while IFS= read -r line; do text=$text$line; done <"$here/start.cjs"
if [ "$text" != @START@ ]; then
  echo "catstack-hook-error edge: Error: expected $here/start.cjs as it was built, got another text; build catstack anew" >&2
  give_up "$1"
fi

# A project's settings may set these for hooks: code to load into Node, and certificates, whose parsing costs more than a whole start.
unset NODE_OPTIONS NODE_EXTRA_CA_CERTS

run() {
  "$@"
  exit 0
}

# The Node that built the bundle: known to be new enough, whatever version a project pins.
built_with=@NODE@
[ -x "$built_with" ] && run "$built_with" "$here/start.cjs" "$@"
command -v node >/dev/null 2>&1 && run node "$here/start.cjs" "$@"

# A harness started from a desktop has a short PATH.
for node in \
  /opt/homebrew/bin/node /usr/local/bin/node /usr/bin/node /home/linuxbrew/.linuxbrew/bin/node \
  "$HOME"/.volta/bin/node "$HOME"/.local/share/mise/shims/node "$HOME"/.asdf/shims/node \
  "$HOME"/.nvm/versions/node/v[2-9][0-9].*/bin/node \
  "$HOME"/.local/share/fnm/node-versions/v[2-9][0-9].*/installation/bin/node \
  "$HOME/Library/Application Support/fnm/node-versions"/v[2-9][0-9].*/installation/bin/node; do
  [ -f "$node" ] && [ -x "$node" ] && run "$node" "$here/start.cjs" "$@"
done
give_up "$1"
