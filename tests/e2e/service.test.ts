import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { Failure, UsageError } from "../../cli/failure.ts";
import { service as runService } from "../../cli/service.ts";
import { forms } from "../../cli/service/forms.ts";
import { NODE_SWITCHES } from "../../cli/service/lean-node.ts";
import { getServicePath, selectNodePath } from "../../cli/service/node-path.ts";
import { probeAuthorship, sign } from "../../cli/service/signature.ts";
import type { Form, Service } from "../../cli/service/service.ts";
import { probeInstance, readInstances } from "../../lib/io/instance.ts";
import { getStatePaths, type Env, type StatePaths } from "../../lib/io/paths.ts";
import { installFakes, isRunning, makeTempDir } from "../helpers/fake-clis.ts";
import { hasEntry } from "../helpers/proc.ts";
import { evidence, getVerdicts, question } from "../helpers/queue.ts";
import { distDir, runCatstack, runCommand } from "../helpers/run-command.ts";
import { lacks } from "../helpers/skip.ts";
import { waitFor } from "../helpers/wait-for.ts";

/** Every character that one of the formats takes for its own, and some of another script. */
const HARD_NAME = "a b;c #d %h %(e)s $HOME ${f} <g>&'h' \"i\" \\j ünï";

/** A service in a folder of that name, with nothing on the disk but the folder. */
function makeService(folder: string, name = HARD_NAME): Service {
  const home = join(folder, name);
  mkdirSync(home);
  return {
    program: [process.execPath, ...NODE_SWITCHES, `${home}/catstack.mjs`],
    variables: [
      ["PATH", `/usr/bin:${home}/bin`],
      ["CODEX_HOME", `${home}/.codex`],
    ],
    home,
    user: "someone",
    uid: 1000,
    gid: 1001,
    configHome: `${home}/.config`,
    stateDir: `${home}/state`,
    jobDirs: [`${home}/state/inbox`, `${home}/state/claimed`],
    claudeDir: `${home}/.claude`,
    codexDir: `${home}/.codex`,
  };
}

function getForm(name: string): Form {
  const form = forms.find((each) => each.name === name);
  assert.ok(form, name);
  return form;
}

function getText(form: string, service: Service): string {
  const [file] = getForm(form).getFiles(service);
  assert.ok(file);
  return file.text;
}

function isThere(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

/** Runs Python on what it reads from stdin; it prints JSON. */
function askPython(code: string, stdin: string): unknown {
  const { status, stdout, stderr } = spawnSync("python3", ["-c", code], { input: stdin, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

describe("systemd", () => {
  const service = "Unit catstack.service:";
  const onDemand = "Unit catstack-on-demand.service:";
  for (const [name, where, program] of [
    ["an ordinary home", "home", process.execPath],
    ["a home whose name holds what units take for their own", HARD_NAME, process.execPath],
    ["a node in such a home", HARD_NAME, undefined],
  ] as const) {
    test(`accepts every unit and reads it as it was meant: ${name}`, (t) => {
      if (lacks(t, isThere("systemd-analyze", "--version"), "systemd-analyze")) return;
      const folder = makeTempDir(t);
      const made = makeService(folder, where);
      const node = program ?? join(made.home, "node");
      if (program === undefined) symlinkSync(process.execPath, node);
      const wanted: Service = { ...made, program: [node, ...NODE_SWITCHES, `${made.home}/catstack.mjs`] };
      const paths = ["systemd", "systemd-path"].flatMap((form) => writeUnits(folder, getForm(form), wanted));
      assert.deepEqual(
        paths.map((path) => basename(path)),
        ["catstack.service", "catstack-on-demand.path", "catstack-on-demand.service"],
      );
      assert.deepEqual(verify(folder, paths, {}), { status: 0, stdout: "", stderr: "" });

      // What the parser made of it.
      const { stdout } = verify(folder, paths, { SYSTEMD_LOG_LEVEL: "debug" });
      const [always, demanded] = [getDump(stdout, service), getDump(stdout, onDemand)];
      for (const unit of [always, demanded]) {
        assert.ok(unit.includes(`\t\tEnvironment: PATH=/usr/bin:${made.home}/bin\n`), unit);
        assert.ok(unit.includes(`\t\tEnvironment: CODEX_HOME=${made.home}/.codex\n`), unit);
        assert.ok(unit.includes("\t\tEnvironment: MALLOC_ARENA_MAX=1\n"), unit);
      }
      assert.deepEqual(getCommandLine(always), [...wanted.program, "watch"]);
      assert.deepEqual(getCommandLine(demanded), [...wanted.program, "watch", "--idle-exit", "60"]);
      const watched = getDump(stdout, "Unit catstack-on-demand.path:");
      for (const dir of made.jobDirs) assert.ok(watched.includes(`\t\tDirectoryNotEmpty: ${dir}\n`), watched);
    });
  }

  function writeUnits(folder: string, form: Form, made: Service): string[] {
    return form.getFiles(made).map(({ path, text }) => {
      const place = join(folder, basename(path));
      writeFileSync(place, text);
      return place;
    });
  }

  function verify(folder: string, units: readonly string[], env: Record<string, string>) {
    const runtime = join(folder, "runtime");
    mkdirSync(runtime, { recursive: true, mode: 0o700 });
    const { status, stdout, stderr } = spawnSync("systemd-analyze", ["--user", "verify", ...units], {
      env: { PATH: process.env["PATH"], HOME: folder, LC_ALL: "C.UTF-8", XDG_RUNTIME_DIR: runtime, ...env },
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  }

  /** What the manager prints of one unit. */
  function getDump(log: string, heading: string): string {
    const start = log.indexOf(`-> ${heading}`);
    assert.ok(start !== -1, `expected ${heading} in ${log.slice(0, 2000)}`);
    const end = log.indexOf("-> Unit ", start + 4);
    return log.slice(start, end === -1 ? undefined : end);
  }

  /** It is printed as a shell would read it; a doubled dollar sign becomes a single one when the program starts, but in its name. */
  function getCommandLine(dump: string): string[] {
    const lines = [...dump.matchAll(/-> Exec(Start|Reload):\n\s+Command Line: (.*)\n/g)];
    const line = lines.find(([, kind]) => kind === "Start")?.[2] ?? "";
    const { stdout } = spawnSync("sh", ["-c", `printf '%s\\n' ${line}`], { encoding: "utf8" });
    const words = stdout.trimEnd().split("\n");
    const [first = "", ...args] = words;
    const rest = args.map(toSingle);
    return first === "/usr/bin/env" ? rest : [first, ...rest];
  }

  function toSingle(word: string): string {
    assert.doesNotMatch(word.replaceAll("$$", ""), /\$/, "a single dollar sign would begin a variable");
    return word.replaceAll("$$", "$");
  }
});

describe("files that others read", () => {
  test("launchd: the property list holds what was meant", (t) => {
    if (lacks(t, isThere("python3", "-c", "import plistlib"), "python3 with plistlib")) return;
    const made = makeService(makeTempDir(t));
    const read = "import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))";
    assert.deepEqual(askPython(read, getText("launchd", made)), {
      Label: "catstack.watch",
      ProgramArguments: [...made.program, "watch"],
      EnvironmentVariables: { PATH: `/usr/bin:${made.home}/bin`, CODEX_HOME: `${made.home}/.codex` },
      WorkingDirectory: made.home,
      KeepAlive: { SuccessfulExit: false },
      ThrottleInterval: 10,
      ExitTimeOut: 30,
      Umask: 0o77,
      StandardErrorPath: `${made.home}/Library/Logs/catstack.log`,
    });
  });

  test("docker: the Compose file holds what was meant, dollar signs doubled", (t) => {
    if (lacks(t, isThere("python3", "-c", "import yaml"), "python3 with yaml")) return;
    const made = makeService(makeTempDir(t));
    const home = made.home.replaceAll("$", "$$$$");
    const mount = (path: string, isReadOnly: boolean) => {
      return { type: "bind", source: path, target: path, read_only: isReadOnly, bind: { create_host_path: false } };
    };
    const program = ["node", ...NODE_SWITCHES, `${home}/catstack.mjs`];
    const read = "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin.buffer)))";
    assert.deepEqual(askPython(read, getText("docker", made)), {
      name: "catstack",
      services: {
        watch: {
          build: {
            dockerfile_inline: "FROM node:22-slim\nRUN npm install --global @openai/codex @anthropic-ai/claude-code\n",
          },
          init: true,
          user: "1000:1001",
          command: [...program, "watch"],
          environment: {
            HOME: "/tmp",
            XDG_CONFIG_HOME: `${home}/.config`,
            CATSTACK_LLM_JUDGE_STATE_DIR: `${home}/state`,
            CLAUDE_CONFIG_DIR: `${home}/.claude`,
            CODEX_HOME: `${home}/.codex`,
            MALLOC_ARENA_MAX: "1",
          },
          volumes: [
            mount(`${home}/state`, false),
            mount(`${home}/.claude`, false),
            mount(`${home}/.codex`, false),
            mount(`${home}/.config/catstack`, true),
            mount(home, true),
          ],
          stop_grace_period: "40s",
          restart: "unless-stopped",
          healthcheck: {
            test: ["CMD", "node", `${home}/catstack.mjs`, "status"],
            interval: "60s",
            timeout: "20s",
            retries: 3,
            start_period: "60s",
          },
        },
      },
    });
  });

  test("pm2: the process file is a module that any package.json above it leaves alone", (t) => {
    const folder = makeTempDir(t);
    const made = makeService(folder);
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    const path = join(folder, "catstack.config.cjs");
    writeFileSync(path, getText("pm2", made));
    const [node, ...args] = made.program;
    assert.deepEqual(createRequire(import.meta.url)(path), {
      apps: [
        {
          name: "catstack",
          script: node,
          args: [...args, "watch"],
          interpreter: "none",
          exec_mode: "fork",
          cwd: made.home,
          env: { PATH: `/usr/bin:${made.home}/bin`, CODEX_HOME: `${made.home}/.codex`, MALLOC_ARENA_MAX: "1" },
          wait_ready: true,
          listen_timeout: 30_000,
          kill_timeout: 30_000,
          treekill: false,
          autorestart: true,
          exp_backoff_restart_delay: 1000,
        },
      ],
    });
  });

  test("a signature tells our files from changed ones and from those of others, also behind a first line", () => {
    const signed = sign("[Unit]\nDescription=x\n");
    assert.match(signed, /^# written by catstack service, checksum [0-9a-f]{40}\n\[Unit\]\n/);
    const behind = sign("<plist/>\n", ["<!-- ", " -->"], "<?xml?>\n");
    assert.match(behind, /^<\?xml\?>\n<!-- written by catstack service, checksum [0-9a-f]{40} -->\n<plist\/>\n$/);
    for (const text of [signed, behind]) {
      assert.equal(probeAuthorship(text), "ours");
      assert.equal(probeAuthorship(`${text}# mine\n`), "edited");
      assert.equal(probeAuthorship(text.replace(/.*written by.*\n/, "")), "foreign");
    }
  });
});

describe("which node, which PATH", () => {
  test("a lasting link is taken before the file of one version, a link that leads elsewhere is not", () => {
    const cellar = "/opt/homebrew/Cellar/node/24.1.0/bin/node";
    assert.equal(
      selectNodePath(cellar, "/home/me", (path) => path === "/opt/homebrew/bin/node"),
      "/opt/homebrew/bin/node",
    );
    const nix = "/home/me/.nix-profile/bin/node";
    assert.equal(
      selectNodePath("/nix/store/x/bin/node", "/home/me", (path) => path === nix),
      nix,
    );
    const nvm = "/home/me/.nvm/versions/node/v20.20.2/bin/node";
    assert.equal(
      selectNodePath(nvm, "/home/me", () => false),
      nvm,
    );
  });

  test("the shell's PATH stays in its order without relative or repeated folders; node's folder and the system's are in it", () => {
    assert.equal(getServicePath("/a:bin::/b:/a:.", "/b"), "/a:/b:/usr/bin:/bin");
    assert.equal(getServicePath("/shell-7/bin:/usr/bin:/a", "/v20/bin"), "/v20/bin:/shell-7/bin:/usr/bin:/a:/bin");
    assert.equal(getServicePath("", "/v20/bin"), "/v20/bin:/usr/bin:/bin");
  });
});

/** The verb in this process, with a home of its own. */
interface Shell {
  readonly home: string;
  readonly env: Env;
  /** What was printed on stdout. Rejects as the verb does. */
  run(...args: string[]): Promise<string>;
  /** Every file and link below the home with its content or target. */
  list(): Record<string, string>;
}

function openShell(t: TestContext, env: Env = {}): Shell {
  const home = makeTempDir(t);
  const whole: Env = { HOME: home, PATH: join(home, "no-programs"), ...env };
  return {
    home,
    env: whole,
    async run(...args) {
      let printed = "";
      const code = await runService(args, {
        env: whole,
        stdin: process.stdin,
        now: () => new Date(),
        out: (line) => (printed += `${line}\n`),
        err: () => {},
        color: false,
        cwd: home,
      });
      assert.equal(code, 0);
      return printed;
    },
    list() {
      const names = readdirSync(home, { recursive: true, encoding: "utf8" });
      const files = names.filter((name) => !lstatSync(join(home, name)).isDirectory());
      return Object.fromEntries(files.map((name) => [name, readFileSync(join(home, name), "utf8")]));
    },
  };
}

/** The calls of a fake that records them. */
function getCalls(folder: string, name: string): string[] {
  const path = join(folder, `${name}.calls`);
  return existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
}

const places: Readonly<Record<string, readonly string[]>> = {
  systemd: [".config/systemd/user/catstack.service"],
  "systemd-path": [".config/systemd/user/catstack-on-demand.path", ".config/systemd/user/catstack-on-demand.service"],
  launchd: ["Library/LaunchAgents/catstack.watch.plist"],
  supervisord: [".config/catstack/service/supervisord.conf"],
  pm2: [".config/catstack/service/catstack.config.cjs"],
  docker: [".config/catstack/service/compose.yaml"],
};

describe("install and uninstall", () => {
  for (const [form, files] of Object.entries(places)) {
    test(`${form}: writes what print prints, a second run changes no byte, uninstall takes out just that`, async (t) => {
      const { path } = installFakes(t, { systemctl: "records-calls" });
      const shell = openShell(t, { PATH: path });
      writeFileSync(join(shell.home, "theirs"), "");
      const dry = await shell.run("install", form, "--dry-run");
      assert.match(dry, /\ndry run: nothing of this was done\n(?:\nto start it:\n(?: {2}.*\n)+)?$/);
      assert.deepEqual(shell.list(), { theirs: "" });
      assert.deepEqual(getCalls(path, "systemctl"), []);

      const first = await shell.run("install", form);
      const written = shell.list();
      assert.deepEqual(Object.keys(written).sort(), [...files, "theirs"].sort());
      const printed = await shell.run("print", form);
      const texts = files.map((name) => written[name] ?? "");
      const headed = files.map((name, index) => `# ${join(shell.home, name)}\n${texts[index] ?? ""}`);
      assert.equal(printed, files.length === 1 ? texts.join("") : headed.join("\n"));
      for (const name of files) assert.ok(first.includes(`write   ${join(shell.home, name)}\n`), first);

      const second = await shell.run("install", form);
      assert.deepEqual(shell.list(), written);
      for (const name of files) assert.ok(second.includes(`ok      ${join(shell.home, name)}\n`), second);

      await shell.run("uninstall", form, "--dry-run");
      assert.deepEqual(shell.list(), written);
      const removed = await shell.run("uninstall", form);
      assert.deepEqual(shell.list(), { theirs: "" });
      for (const name of files) assert.ok(removed.includes(`remove  ${join(shell.home, name)}\n`), removed);
      assert.match(await shell.run("uninstall", form), /^ok .* does not exist\n/);
      assert.equal(await shell.run("uninstall"), "ok      no service of ours is installed\n");
    });
  }

  test("systemd's manager is told: load and start; after a change start anew; on uninstall stop first", async (t) => {
    const { path } = installFakes(t, { systemctl: "records-calls" });
    const shell = openShell(t, { PATH: path });
    await shell.run("install", "systemd");
    await openShell(t, { ...shell.env, CODEX_HOME: "/elsewhere" }).run("install", "systemd");
    await shell.run("uninstall", "systemd");
    assert.deepEqual(getCalls(path, "systemctl"), [
      "--user daemon-reload",
      "--user enable --now catstack.service",
      "--user daemon-reload",
      "--user enable catstack.service",
      "--user restart catstack.service",
      "--user disable --now catstack.service",
    ]);
  });

  test("without systemctl, or when it fails, the files are there and the error says how to go on", async (t) => {
    const cases = [
      { fakes: {}, got: "there is no systemctl here" },
      { fakes: { systemctl: "exits-3" }, got: "exit code 3: e" },
    ] as const;
    for (const { fakes, got } of cases) {
      const shell = openShell(t, { PATH: installFakes(t, fakes).path });
      await assert.rejects(shell.run("install", "systemd"), (error) => {
        assert.ok(error instanceof Failure);
        assert.ok(
          error.message.startsWith(`expected \`systemctl --user daemon-reload\` to work, got ${got}`),
          error.message,
        );
        const rest = "systemctl --user daemon-reload && systemctl --user enable --now catstack.service";
        assert.ok(error.message.endsWith(`the files are written, go on from here with: ${rest}`), error.message);
        return true;
      });
      assert.deepEqual(Object.keys(shell.list()), places["systemd"]);

      await assert.rejects(shell.run("uninstall", "systemd"), /the files are removed, but .*disable --now/);
      assert.deepEqual(shell.list(), {});
    }
  });

  test("supervisors that are not ours to command: the commands are told, for a changed file others", async (t) => {
    const shell = openShell(t);
    const conf = join(shell.home, ".config/catstack/service/catstack.config.cjs");
    const dryRun = await shell.run("install", "pm2", "--dry-run");
    assert.ok(dryRun.endsWith(`\nto start it:\n  pm2 start ${conf}\n  pm2 save\n`), dryRun);
    assert.ok((await shell.run("install", "pm2")).includes(`\nto start it:\n  pm2 start ${conf}\n  pm2 save\n`));
    const changed = await openShell(t, { ...shell.env, CODEX_HOME: "/elsewhere" }).run("install", "pm2");
    assert.ok(changed.includes(`\nto start it:\n  pm2 delete catstack\n  pm2 start ${conf}\n  pm2 save\n`), changed);
    assert.ok((await shell.run("uninstall")).endsWith("\nto stop what runs:\n  pm2 delete catstack\n  pm2 save\n"));
  });

  test("a file of somebody else, one that was changed, and a masked unit are left, before anything is written", async (t) => {
    const [pathUnit = "", unit = ""] = places["systemd-path"] ?? [];
    const shell = openShell(t);
    const place = join(shell.home, unit);
    mkdirSync(dirname(place), { recursive: true });

    writeFileSync(place, "[Service]\nExecStart=/bin/true\n");
    await assert.rejects(
      shell.run("install", "systemd-path"),
      /catstack-on-demand\.service: expected nothing or what catstack wrote, got a file that catstack did not write; move it away/,
    );
    assert.deepEqual(Object.keys(shell.list()), [unit]);
    assert.match(await shell.run("uninstall", "systemd-path"), /^skip .*catstack-on-demand\.service is not ours$/m);

    rmSync(place);
    const { path } = installFakes(t, { systemctl: "records-calls" });
    const reached = openShell(t, { ...shell.env, PATH: path });
    await reached.run("install", "systemd-path");
    writeFileSync(place, readFileSync(place, "utf8").replace("RestartSec=10", "RestartSec=60"));
    await assert.rejects(
      reached.run("install", "systemd-path"),
      /got one of ours that was changed since it was written/,
    );
    assert.match(
      await reached.run("uninstall", "systemd-path"),
      /^keep .*catstack-on-demand\.service: it was changed/m,
    );
    assert.match(
      await reached.run("uninstall", "systemd-path"),
      /^keep .*\n(?:.*\n)*\nto stop what runs:\n {2}systemctl --user disable --now /m,
      "what nobody else stops is told",
    );
    assert.deepEqual(Object.keys(shell.list()), [unit]);
    assert.equal(existsSync(join(shell.home, pathUnit)), false);

    rmSync(place);
    symlinkSync("/dev/null", place);
    await assert.rejects(reached.run("install", "systemd-path"), /got a file that catstack did not write/);
    assert.ok(lstatSync(place).isSymbolicLink());
  });

  test("variables that say where things are go into the file, absolute; keys and proxies do not, and are named", async (t) => {
    const shell = openShell(t, {
      CATSTACK_LLM_JUDGE_STATE_DIR: "/v/state",
      XDG_STATE_HOME: "/v/xdg-state",
      XDG_CONFIG_HOME: join(makeTempDir(t), "config"),
      CLAUDE_CONFIG_DIR: "/v/claude",
      CODEX_HOME: "/v/codex",
      ANTHROPIC_API_KEY: "secret-1",
      https_proxy: "http://secret-2",
      CATSTACK_LLM_JUDGE_RUNNERS: "[]",
      EDITOR: "vi",
    });
    const config = shell.env["XDG_CONFIG_HOME"] ?? "";
    const unit = await shell.run("print", "systemd");
    assert.deepEqual(
      [...unit.matchAll(/^Environment=([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]).slice(1),
      [
        ["CATSTACK_LLM_JUDGE_STATE_DIR", "/v/state"],
        ["XDG_STATE_HOME", "/v/xdg-state"],
        ["XDG_CONFIG_HOME", config],
        ["CLAUDE_CONFIG_DIR", "/v/claude"],
        ["CODEX_HOME", "/v/codex"],
        ["MALLOC_ARENA_MAX", "1"],
      ],
    );
    assert.match(unit, /^ExecStart=\S+ --max-semi-space-size=1 --optimize-for-size \S+catstack\.mjs watch$/m);
    const installed = await shell.run("install", "pm2");
    const lost = "ANTHROPIC_API_KEY, CATSTACK_LLM_JUDGE_RUNNERS, https_proxy";
    assert.ok(
      installed.includes(
        `note    the service will not have these variables of your shell: ${lost}; if your model CLIs need them, set them in the shell in which you run pm2 start\n`,
      ),
      installed,
    );
    assert.doesNotMatch(readFileSync(join(config, "catstack/service/catstack.config.cjs"), "utf8"), /secret/);
  });

  test("without a form the supervisor of the machine is taken, and which one is said; where there is none the forms are listed", async (t) => {
    const note = async (fakes: Record<string, string>) => {
      const printed = await openShell(t, { PATH: installFakes(t, fakes).path }).run("install", "--dry-run");
      return printed.split("\n")[0];
    };
    if (process.platform === "darwin") return t.skip("macOS has launchd whatever is on PATH");
    assert.equal(
      await note({ systemctl: "records-calls", supervisorctl: "records-calls" }),
      "note    systemd: systemd's user manager answers",
    );
    assert.match(
      (await note({ systemctl: "exits-3", supervisorctl: "records-calls", pm2: "records-calls" })) ?? "",
      /^note {4}supervisord: no systemd user manager answers \(exit code 3: /,
    );
    assert.equal(
      await note({ pm2: "records-calls" }),
      "note    pm2: no systemd user manager answers (there is no systemctl here), pm2 is on PATH",
    );
    await assert.rejects(
      openShell(t).run("install"),
      /^Failure: expected a supervisor on this machine, got none: .*name the form that you want: systemd, systemd-path, launchd, supervisord, pm2, docker$/,
    );
  });

  test("a second form beside the first is told of, and catstack uninstall takes out every form", async (t) => {
    const shell = openShell(t);
    await shell.run("install", "pm2");
    const second = await shell.run("install", "docker");
    assert.ok(second.includes("note    pm2 is installed as well: catstack service uninstall pm2\n"), second);
    const env = { HOME: shell.home };
    mkdirSync(join(shell.home, ".claude"));
    const one = await runCatstack(["uninstall", "--only", "claude"], { env });
    for (const name of ["pm2", "docker"])
      assert.ok(one.stdout.includes(`a service is still installed (${name}): `), one.stdout);
    assert.equal((await runCatstack(["uninstall"], { env })).code, 0);
    assert.doesNotMatch((await runCatstack(["uninstall"], { env })).stdout, /service/);
  });

  test("a wrong action or form, or two, is a wrong call; a name with a control character is refused", async (t) => {
    const shell = openShell(t);
    const wrong: readonly (readonly [args: string[], expected: RegExp])[] = [
      [[], /expected print, install or uninstall, got nothing/],
      [["constructor"], /got constructor/],
      [["print", "upstart"], /expected one of systemd, .*, got upstart/],
      [["print", "systemd", "pm2"], /expected one form, got 2/],
    ];
    for (const [args, expected] of wrong) {
      await assert.rejects(shell.run(...args), (error) => error instanceof UsageError && expected.test(error.message));
    }
    const odd = openShell(t, { CODEX_HOME: "/a\nExecStart=/bin/true" });
    await assert.rejects(odd.run("print", "systemd"), /expected paths and variables without control characters/);
  });
});

/** A home of a name that is hard to write down, with our built command in it. */
interface HardHome {
  readonly folder: string;
  readonly home: string;
  readonly paths: StatePaths;
  readonly env: Readonly<Record<string, string>>;
  install(form: string): Promise<string>;
  /** Ends what was started, after the test and before the home goes. */
  endAfterwards(end: () => Promise<void>): void;
}

function makeHardHome(t: TestContext): HardHome {
  // Sockets of supervisors have short names only.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "catstack-")));
  // Node runs no module whose path holds a backslash.
  const home = join(folder, HARD_NAME.replace("\\", ""));
  mkdirSync(join(home, "dist"), { recursive: true });
  const command = join(home, "dist", "catstack.mjs");
  copyFileSync(join(distDir, "catstack.mjs"), command);
  const ends: (() => Promise<void>)[] = [];
  t.after(async () => {
    for (const end of ends) await end();
    for (const { pid } of readInstances(paths)) if (isRunning(pid)) process.kill(pid, "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  const state = join(home, "state\\");
  const env = { HOME: home, PATH: process.env["PATH"] ?? "", CATSTACK_LLM_JUDGE_STATE_DIR: state };
  const paths = getStatePaths(env);
  return {
    folder,
    home,
    env,
    paths,
    endAfterwards: (end) => void ends.push(end),
    async install(form) {
      const result = await runCommand(process.execPath, [command, "service", "install", form], { env });
      assert.equal(result.code, 0, result.stderr);
      return join(home, places[form]?.[0] ?? "");
    },
  };
}

/** The watcher that lives, other than `known`. */
function waitForWatcher({ paths }: HardHome, known?: number): Promise<number> {
  return waitFor(`a watcher other than ${known ?? "none"}`, () =>
    readInstances(paths)
      .filter((instance) => probeInstance(instance) === "alive")
      .map(({ pid }) => pid)
      .find((pid) => pid !== known),
  );
}

/** Puts a whole job into the inbox at once. */
function dropWhole({ paths }: HardHome, id: string, job: Record<string, unknown>): void {
  writeFileSync(join(paths.root, id), JSON.stringify({ id, ...job }));
  renameSync(join(paths.root, id), join(paths.inbox, `${id}.json`));
}

/** Drops a job that needs no model and waits for what comes of it. */
async function assertJudges(hard: HardHome, id: string): Promise<void> {
  const { paths } = hard;
  dropWhole(hard, id, evidence());
  const verdict = await waitFor("a verdict", () => getVerdicts(paths).find((each) => each.id === id));
  assert.equal(verdict.outcome, "hit");
}

/** The limit of every supervisor here; ours is 20 s at the most, and at once where nothing runs. */
const STOP_LIMIT_MS = 30_000;

const PM2_VERSION = "7.0.4";

describe("run for real", { concurrency: true }, () => {
  test("supervisord keeps a watcher running: killed it comes back and judges, and it stops within the limit", async (t) => {
    if (lacks(t, isThere("supervisord", "--version") && isThere("supervisorctl", "--help"), "supervisord")) return;
    const hard = makeHardHome(t);
    const { folder, env } = hard;
    copyFileSync(await hard.install("supervisord"), join(folder, "catstack.conf"));
    const config = join(folder, "supervisord.conf");
    writeFileSync(
      config,
      `[unix_http_server]
file=${folder}/socket
[rpcinterface:supervisor]
supervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface
[supervisorctl]
serverurl=unix://${folder}/socket
[supervisord]
nodaemon=true
directory=${folder}
childlogdir=${folder}
logfile=${folder}/supervisord.log
pidfile=${folder}/supervisord.pid
[include]
files=${folder}/catstack.conf
`,
    );
    const daemon = spawn("supervisord", ["-c", config], { env, stdio: "ignore" });
    const exited = new Promise((resolve) => daemon.once("close", resolve));
    hard.endAfterwards(async () => {
      // It ends its programs first, as it does at a shutdown.
      daemon.kill("SIGTERM");
      await exited;
    });
    const control = async (...args: string[]) => {
      const { stdout } = await runCommand("supervisorctl", ["-c", config, ...args], { env });
      return stdout.trim();
    };

    const first = await waitForWatcher(hard);
    await waitForOutput("RUNNING", () => control("status", "catstack"));
    assert.equal(await control("pid", "catstack"), String(first));
    if (process.platform === "linux") assert.ok(hasEntry(first, "MALLOC_ARENA_MAX=1"));
    process.kill(first, "SIGKILL");
    const second = await waitForWatcher(hard, first);
    await assertJudges(hard, "after-the-kill");

    const start = performance.now();
    assert.equal(await control("stop", "catstack"), "catstack: stopped");
    assert.ok(performance.now() - start < STOP_LIMIT_MS);
    assert.equal(isRunning(second), false);
    assert.match(await control("status", "catstack"), /STOPPED/);
    assert.deepEqual(readdirSync(hard.paths.instances), [], "it stopped by itself and left nothing");
  });

  test("pm2 waits until the watcher is ready and keeps it running: killed it comes back and judges, and a stop within the limit gives back what runs", async (t) => {
    const hard = makeHardHome(t);
    const prefix = join(hard.folder, "npm");
    const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--ignore-scripts"];
    const install = ["install", ...quiet, "--prefix", prefix, "--cache", join(prefix, "cache"), `pm2@${PM2_VERSION}`];
    const { status } = spawnSync("npm", install, { stdio: "ignore" });
    if (lacks(t, status === 0, `npm and pm2 ${PM2_VERSION} from its registry`)) return;
    const file = await hard.install("pm2");
    const pm2Home = join(hard.folder, "pm2");
    // pm2 hands on what it was started with.
    const CATSTACK_LLM_JUDGE_RUNNERS = '[["slow", ["sleep", "60"]]]';
    const env = { ...hard.env, PM2_HOME: pm2Home, PM2_DISABLE_VERSION_CHECK: "true", CATSTACK_LLM_JUDGE_RUNNERS };
    const pm2 = async (...args: string[]) => {
      const result = await runCommand(join(prefix, "node_modules", ".bin", "pm2"), args, { env });
      assert.equal(result.code, 0, result.stdout + result.stderr);
      return result.stdout;
    };
    hard.endAfterwards(async () => {
      if (!existsSync(join(pm2Home, "pm2.pid"))) return;
      const pid = Number(readFileSync(join(pm2Home, "pm2.pid"), "utf8"));
      try {
        // It ends its apps first.
        await pm2("kill");
        await waitFor("the end of pm2", () => !isRunning(pid) || undefined);
      } finally {
        if (isRunning(pid)) process.kill(pid, "SIGKILL");
      }
    });

    const start = performance.now();
    await pm2("start", file);
    // Without a word from the watcher pm2 would wait for 30 s.
    assert.ok(performance.now() - start < 20_000);
    const first = await waitForWatcher(hard);
    assert.deepEqual(await readApp(pm2), { status: "online", pid: first });
    process.kill(first, "SIGKILL");
    const second = await waitForWatcher(hard, first);
    await assertJudges(hard, "after-the-kill");
    await waitForOutput('"status":"online"', () => pm2("jlist"));

    const { claimed, inbox, outbox, attempts, instances } = hard.paths;
    dropWhole(hard, "takes-long", question());
    await waitFor("a run", () =>
      readdirSync(claimed, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith("takes-long.run.json")),
    );
    const stop = performance.now();
    await pm2("stop", "catstack");
    assert.ok(performance.now() - stop < STOP_LIMIT_MS);
    assert.equal(isRunning(second), false);
    assert.deepEqual(await readApp(pm2), { status: "stopped", pid: 0 });
    assert.deepEqual(readdirSync(instances), [], "it stopped by itself and left nothing");
    assert.deepEqual(readdirSync(inbox), ["takes-long.json"], "what ran was given back");
    assert.deepEqual(readdirSync(outbox), ["after-the-kill.json"]);
    assert.deepEqual(readdirSync(attempts), []);
  });
});

/** What a command prints, once it holds a word. */
async function waitForOutput(word: string, run: () => Promise<string>): Promise<string> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const output = await run();
    if (output.includes(word)) return output;
    assert.ok(performance.now() < deadline, `expected ${word}, got ${output}`);
  }
}

async function readApp(pm2: (...args: string[]) => Promise<string>): Promise<{ status: unknown; pid: unknown }> {
  const [line = "[]"] = (await pm2("jlist")).split("\n").filter((each) => each.startsWith("["));
  const apps: unknown = JSON.parse(line);
  assert.ok(Array.isArray(apps) && apps.length === 1);
  const app: unknown = apps[0];
  assert.ok(typeof app === "object" && app !== null && "pid" in app && "pm2_env" in app);
  const { pid, pm2_env: state } = app;
  assert.ok(typeof state === "object" && state !== null && "status" in state);
  return { status: state.status, pid };
}
