import type { Call } from "./call.ts";
import { callFromWords } from "./call.ts";
import { resolvePath } from "./paths.ts";

/** A program that runs another one and passes its output and status on. */
interface Wrapper {
  /** How it is called: the program and its sub-commands. */
  readonly call: string;
  /** Flags that take a value, which is no part of the command. */
  readonly values?: string;
  /** Flags whose value is the folder the command runs in. */
  readonly folder?: string;
  /** Flags whose value selects a workspace member. */
  readonly project?: string;
  /** Flags with which it runs nothing, such as `command -v`. */
  readonly inert?: string;
  /** Own words before the command, such as the seconds of `timeout 60`. */
  readonly operands?: number;
  /** The own words name another machine or container, or files not seen here: they become part of the project. */
  readonly elsewhere?: true;
  /** Everything up to `--` is its own. */
  readonly dashes?: true;
  /** The words behind its own are text for a shell. */
  readonly text?: true;
}

/**
 * Sorted by call. A longer call wins over a shorter one. Sources: each tool's own `--help` and manual.
 */
const wrappers: readonly Wrapper[] = [
  { call: "asdf exec" },
  { call: "builtin" },
  { call: "bun x", values: "-p --package" },
  { call: "bundle exec", values: "--gemfile" },
  { call: "bunx", values: "-p --package" },
  { call: "c8", values: "-r --reporter -x --exclude -n --include" },
  { call: "caffeinate", values: "-t -w" },
  { call: "cmd //c" },
  { call: "cmd /c" },
  { call: "command", inert: "-v -V" },
  { call: "conda run", values: "-n --name -p --prefix --cwd" },
  { call: "corepack" },
  { call: "coverage run", values: "--source --rcfile --omit --include --data-file" },
  { call: "cross-env" },
  { call: "devbox run", dashes: true },
  { call: "direnv exec", operands: 1 },
  {
    call: "docker compose exec",
    values: "-e --env -u --user --index",
    folder: "-w --workdir",
    operands: 1,
    elsewhere: true,
  },
  {
    call: "docker compose run",
    values: "-e --env -u --user -v --volume --name",
    folder: "-w --workdir",
    operands: 1,
    elsewhere: true,
  },
  {
    call: "docker exec",
    values: "-e --env -u --user --env-file",
    folder: "-w --workdir",
    operands: 1,
    elsewhere: true,
  },
  {
    call: "docker run",
    values:
      "-e --env -u --user -v --volume --name --env-file --network --entrypoint --mount -p --publish --platform -m --memory",
    folder: "-w --workdir",
    operands: 1,
    elsewhere: true,
  },
  {
    call: "docker-compose exec",
    values: "-e --env -u --user --index",
    folder: "-w --workdir",
    operands: 1,
    elsewhere: true,
  },
  {
    call: "docker-compose run",
    values: "-e --env -u --user -v --volume --name",
    folder: "-w --workdir",
    operands: 1,
    elsewhere: true,
  },
  { call: "doas", values: "-u" },
  { call: "doppler run", values: "-p --project -c --config" },
  { call: "dotenv", values: "-e -f -c" },
  { call: "dotenvx run", values: "-f --env-file -e --env" },
  { call: "env", values: "-u --unset", folder: "-C --chdir" },
  { call: "exec", values: "-a" },
  { call: "fnm exec", values: "--using" },
  { call: "gtime", values: "-f -o" },
  { call: "gtimeout", values: "-s --signal -k --kill-after", operands: 1 },
  { call: "ionice", values: "-c -n" },
  { call: "kubectl exec", values: "-n --namespace -c --container", operands: 1, elsewhere: true },
  { call: "mise exec", folder: "-C --cd", values: "-j --jobs -c", dashes: true },
  { call: "mise x", folder: "-C --cd", values: "-j --jobs -c", dashes: true },
  { call: "nice", values: "-n --adjustment" },
  { call: "nix develop" },
  { call: "nohup" },
  { call: "npm exec", values: "-p --package", folder: "--prefix", project: "-w --workspace" },
  { call: "npm x", values: "-p --package", folder: "--prefix", project: "-w --workspace" },
  { call: "npx", values: "-p --package", project: "-w --workspace" },
  { call: "nyc", values: "-r --reporter -x --exclude -n --include" },
  { call: "op run", values: "--env-file" },
  { call: "pdm run", folder: "-p --project" },
  { call: "pipenv run" },
  { call: "pixi run", values: "-e --environment" },
  { call: "pnpm dlx", values: "--package" },
  { call: "pnpx", values: "-p --package" },
  { call: "podman exec", values: "-e --env -u --user", folder: "-w --workdir", operands: 1, elsewhere: true },
  {
    call: "podman run",
    values: "-e --env -u --user -v --volume --name",
    folder: "-w --workdir",
    operands: 1,
    elsewhere: true,
  },
  { call: "poetry run", folder: "-C --directory -P --project" },
  { call: "rtk" },
  { call: "rtk err" },
  { call: "rtk lint" },
  { call: "rtk proxy" },
  { call: "rtk test" },
  { call: "rustup run", operands: 1 },
  { call: "rye run" },
  { call: "setsid" },
  { call: "ssh", values: "-p -i -o -l -F -J", operands: 1, elsewhere: true, text: true },
  { call: "stdbuf", values: "-i -o -e" },
  { call: "sudo", values: "-u -g -h -p -C" },
  { call: "time", values: "-f -o" },
  { call: "timeout", values: "-s --signal -k --kill-after", operands: 1 },
  {
    call: "uv run",
    values:
      "--with --with-editable --with-requirements --extra --group --only-group --no-group --python -p --env-file --index-url",
    folder: "--directory --project",
    project: "--package",
  },
  { call: "uv tool run", values: "--from --with --python -p" },
  { call: "uvx", values: "--from --with --python -p" },
  { call: "volta run", values: "--node --npm --yarn --pnpm" },
  { call: "wsl", values: "-d --distribution -u --user", folder: "--cd" },
  { call: "xargs", values: "-n -P -I -L -d -s -a -E", elsewhere: true },
  { call: "xvfb-run", values: "-n -s -f -e -w --server-num --server-args" },
  { call: "yarn dlx", values: "-p --package" },
  { call: "yarn exec" },
];

/** A command line for another shell, and where it runs. */
export interface ShellText {
  readonly kind: "shell";
  readonly script: string;
  readonly call: Call;
}

/** Takes one wrapper off; undefined when the call is no wrapper; "nothing" when the wrapper runs no command. */
export function unwrap(call: Call): Call | ShellText | "nothing" | undefined {
  const wrapper = findWrapper(call);
  return wrapper === undefined ? undefined : readWrapped(call, wrapper);
}

function findWrapper(call: Call): Wrapper | undefined {
  let best: Wrapper | undefined;
  for (const wrapper of wrappers) {
    if (!wrapper.call.startsWith(call.program) || wrapper.call.length <= (best?.call.length ?? 0)) continue;
    const [program, ...words] = wrapper.call.split(" ");
    if (program === call.program && words.every((word, index) => call.args[index] === word)) best = wrapper;
  }
  return best;
}

function readWrapped(call: Call, wrapper: Wrapper): Call | ShellText | "nothing" {
  const own = wrapper.call.split(" ").length - 1;
  const dashes = wrapper.dashes === true ? call.args.indexOf("--") : -1;
  const skipped = skipOwn(call, wrapper, own);
  if (skipped.inert) return "nothing";
  const words = call.args.slice(dashes < 0 ? skipped.at : dashes + 1);
  const around = {
    ...call,
    cwd: skipped.cwd,
    project: skipped.project,
    env: [...call.env, ...skipped.env],
  };
  if (wrapper.text === true) return { kind: "shell", script: words.join(" "), call: around };
  return callFromWords(words, around) ?? "nothing";
}

interface Skipped {
  /** Where the inner command begins. */
  at: number;
  cwd: string;
  project: readonly string[];
  inert: boolean;
  readonly env: string[];
  /** Own words still to come. */
  operands: number;
}

/** Passes over the wrapper's own flags, assignments and operands. */
function skipOwn(call: Call, wrapper: Wrapper, from: number): Skipped {
  const { cwd, project } = call;
  const into: Skipped = { at: from, cwd, project, inert: false, env: [], operands: wrapper.operands ?? 0 };
  const place = [wrapper.call];
  for (; into.at < call.args.length; into.at++) {
    const arg = call.args[into.at] ?? "";
    if (arg === "--" && into.operands === 0) {
      into.at++;
      break;
    }
    if (/^-./.test(arg)) skipFlag(arg, call.args[into.at + 1] ?? "", wrapper, into);
    else if (isSetting(arg)) into.env.push(arg);
    else {
      if (into.operands === 0) break;
      into.operands--;
      place.push(arg);
    }
  }
  if (wrapper.elsewhere === true) into.project = [...into.project, place.join(" ")];
  return into;
}

/** `NAME=value`, and the `+toolchain` of rustup's proxies. */
function isSetting(arg: string): boolean {
  return /^\w+=|^\+\w/.test(arg);
}

function skipFlag(arg: string, next: string, wrapper: Wrapper, into: Skipped): void {
  const equals = arg.startsWith("--") ? arg.indexOf("=") : -1;
  const name = equals < 0 ? arg : arg.slice(0, equals);
  const value = equals < 0 ? next : arg.slice(equals + 1);
  if (has(wrapper.inert, name)) into.inert = true;
  const takesValue = [wrapper.values, wrapper.folder, wrapper.project].some((list) => has(list, name));
  if (has(wrapper.folder, name)) into.cwd = resolvePath(into.cwd, value);
  if (has(wrapper.project, name)) into.project = [...into.project, value];
  if (takesValue && equals < 0) into.at++;
}

function has(list: string | undefined, flag: string): boolean {
  return list !== undefined && list.split(" ").includes(flag);
}
