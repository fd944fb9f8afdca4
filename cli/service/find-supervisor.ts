import type { Env } from "../../lib/io/paths.ts";
import { Failure } from "../failure.ts";
import { findProgram } from "../setup/find-program.ts";
import { forms } from "./forms.ts";
import { launchd } from "./forms/launchd.ts";
import { pm2 } from "./forms/pm2.ts";
import { supervisord } from "./forms/supervisord.ts";
import { systemd } from "./forms/systemd.ts";
import { runToEnd } from "./run.ts";
import type { Form } from "./service.ts";

export interface Choice {
  readonly form: Form;
  /** Why this one, to be read behind its name and a colon. */
  readonly reason: string;
}

/** The best supervisor of this machine. Throws a Failure that lists the forms where there is none. */
export function findSupervisor(env: Env, platform: NodeJS.Platform): Choice {
  if (platform === "darwin") return { form: launchd, reason: "this is macOS" };
  const problem = runToEnd(["systemctl", "--user", "show-environment"], env);
  if (problem === undefined) return { form: systemd, reason: "systemd's user manager answers" };
  const without = `no systemd user manager answers (${problem})`;
  if (findProgram("supervisorctl", env) !== undefined)
    return { form: supervisord, reason: `${without}, supervisorctl is on PATH` };
  if (findProgram("pm2", env) !== undefined) return { form: pm2, reason: `${without}, pm2 is on PATH` };
  const names = forms.map(({ name }) => name).join(", ");
  throw new Failure(
    `expected a supervisor on this machine, got none: ${without}, neither supervisorctl nor pm2 is on PATH; name the form that you want: ${names}`,
  );
}
