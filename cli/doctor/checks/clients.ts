import type { LinkState } from "../../setup/links.ts";
import { ok, problem, type Check } from "../check.ts";
import type { Entries } from "./runs.ts";

/** One file of a client's settings. */
export interface FileFacts {
  readonly path: string;
  /** Whether anything in it is ours. */
  readonly mentions: boolean;
  /** What an install would change in it. */
  readonly pending: readonly string[];
  /** Why an install would refuse it; null: it would not. */
  readonly refusal: string | null;
}

/** A client whose turns may be watched, and what of ours it has. */
export interface ClientFacts {
  readonly name: string;
  readonly title: string;
  /** Its folder or its command is. */
  readonly isThere: boolean;
  readonly files: readonly FileFacts[];
  /** What its settings' command goes through; `hash` is that of another build. Null: it was not looked at. */
  readonly link: { readonly path: string; readonly state: LinkState; readonly hash: string | null } | null;
  /** What switches every hook of the client off, and where; null: nothing does. */
  readonly off: string | null;
  /** Whether the client has our plugin. */
  readonly plugin: boolean;
  /** What came of running its command once; null: it has none. */
  readonly hook: { readonly problem: string | null } | null;
  /** What the person has to know. */
  readonly notes: readonly string[];
}

const INSTALL = "run: catstack install";
/** What a hook that is well prints where the settings file or the variable of a mode is wrong. */
const SETTINGS_COMPLAINT = /got: catstack-hook-error (?:settings: |\S+ Error: expected CATSTACK_HOOK_MODE_)/;

/** Whether anybody's turns are watched at all, and then client by client. Pure. */
export function checkClients(clients: readonly ClientFacts[]): Check[] {
  const present = clients.filter(({ isThere }) => isThere);
  if (present.length === 0) {
    const titles = clients.map(({ title }) => title).join(", ");
    return [problem("fail", "clients", `expected one of ${titles} on this machine, got none`, "install one")];
  }
  const isAnywhere = present.some(isInstalled);
  return present.flatMap((client) => checkClient(client, isAnywhere));
}

/** Whether its turns are to be seen by us. */
export function isInstalled({ files, plugin }: ClientFacts): boolean {
  return plugin || files.some(({ mentions }) => mentions);
}

/** By which of its settings we are started. */
export function findEntries({ files, plugin }: ClientFacts): Entries {
  const ours = files.filter(({ mentions }) => mentions).map(({ path }) => path.endsWith(".toml"));
  return { hooks: plugin || ours.includes(false), notify: ours.includes(true) };
}

function checkClient(client: ClientFacts, isAnywhere: boolean): Check[] {
  const { name, title } = client;
  const refused = client.files.find(({ refusal }) => refusal !== null);
  if (refused?.refusal != null)
    return [problem("fail", `entries ${name}`, refused.refusal, "until then an install leaves it alone")];
  if (!isInstalled(client)) {
    const level = isAnywhere ? "warn" : "fail";
    return [
      problem(level, `entries ${name}`, `${title} is here, and its turns are not watched`, `${INSTALL} --only ${name}`),
    ];
  }
  if (!client.files.some(({ mentions }) => mentions))
    return [...checkOff(client), ok(`entries ${name}`, "by our plugin, not by its settings")];
  return [checkEntries(client), ...checkOff(client), ...checkLink(client), ...checkHook(client)];
}

function checkEntries({ name, files, plugin }: ClientFacts): Check {
  const title = `entries ${name}`;
  const pending = files.flatMap(({ path, pending }) => pending.map((what) => `${what} in ${path}`));
  // What is there in another form still runs, or runs twice, which is met by marks.
  const isMissing = pending.some((what) => !what.includes("("));
  if (pending.length > 0) {
    const says = `${isMissing ? "not all there" : "not as this version writes them"}: ${pending.join(", ")}`;
    return problem(isMissing ? "fail" : "warn", title, says, INSTALL);
  }
  const paths = files.filter(({ mentions }) => mentions).map(({ path }) => path);
  return ok(title, `each once in ${paths.join(", ")}${plugin ? "; the plugin's own step back" : ""}`);
}

function checkOff({ name, title, off, notes }: ClientFacts): Check[] {
  const checks = notes
    .filter((note) => note.includes("are off"))
    .map((note) => problem("warn", `hooks ${name}`, note, INSTALL));
  if (off === null) return checks;
  if (checks.length > 0) return checks;
  return [problem("fail", `hooks ${name}`, `${title} runs no hook at all: ${off}`, "take it out, if hooks are to run")];
}

function checkLink({ name, link }: ClientFacts): Check[] {
  if (link === null) return [];
  const { path, state, hash } = link;
  const title = `link ${name}`;
  if (state === "ours") return [ok(title, path)];
  if (state === "other") {
    const what = hash === null ? "a build that is not there any more, or not whole" : `another build (${hash})`;
    return [problem("warn", title, `${path} leads to ${what}`, INSTALL)];
  }
  const says = state === "absent" ? `no ${path}: the hooks end in silence` : `${path} is not ours`;
  return [problem("fail", title, says, state === "absent" ? INSTALL : `move it away and ${INSTALL}`)];
}

function checkHook({ name, hook }: ClientFacts): Check[] {
  if (hook === null) return [];
  const title = `hook ${name}`;
  if (hook.problem === null) return [ok(title, "answers a made-up turn in silence")];
  if (SETTINGS_COMPLAINT.test(hook.problem))
    return [
      problem("warn", title, "answers a made-up turn, and complains of the settings", "mend what `settings` tells"),
    ];
  return [problem("fail", title, `a made-up turn: ${hook.problem}`, INSTALL)];
}
