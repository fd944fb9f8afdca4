/** A program that runs another one and passes its output and status on. */
export interface Wrapper {
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
 * Roughly sorted by call. A longer call wins over a shorter one. Sources: each tool's own `--help` and manual.
 */
export const wrappers: readonly Wrapper[] = [
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
  ...["docker compose", "docker-compose", "podman compose", "podman-compose"].flatMap((compose): Wrapper[] => [
    {
      call: `${compose} exec`,
      values: "-e --env -u --user --index --profile --env-file --progress --ansi",
      folder: "-w --workdir",
      project: "-f --file -p --project-name",
      operands: 1,
      elsewhere: true,
    },
    {
      call: `${compose} run`,
      values: "-e --env -u --user -v --volume --name --profile --env-file --progress --ansi --entrypoint",
      folder: "-w --workdir",
      project: "-f --file -p --project-name",
      operands: 1,
      elsewhere: true,
    },
  ]),
  ...["docker", "podman"].flatMap((engine): Wrapper[] => [
    {
      call: `${engine} exec`,
      values: "-e --env -u --user --env-file --detach-keys --config -l --log-level",
      folder: "-w --workdir",
      project: "-c --context -H --host --connection",
      operands: 1,
      elsewhere: true,
    },
    {
      call: `${engine} run`,
      values:
        "-e --env -u --user -v --volume --name --env-file --network --entrypoint --mount -p --publish --platform -m --memory",
      folder: "-w --workdir",
      project: "--context -H --host --connection",
      operands: 1,
      elsewhere: true,
    },
  ]),
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
  {
    call: "kubectl exec",
    values: "--kubeconfig --request-timeout",
    project: "-n --namespace -c --container --context --cluster",
    operands: 1,
    elsewhere: true,
  },
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
  { call: "unbuffer" },
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
  { call: "xcrun", values: "--sdk --toolchain", inert: "-f --find" },
  { call: "xvfb-run", values: "-n -s -f -e -w --server-num --server-args" },
  { call: "yarn dlx", values: "-p --package" },
  { call: "yarn exec" },
];
