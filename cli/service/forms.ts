import { docker } from "./forms/docker.ts";
import { launchd } from "./forms/launchd.ts";
import { pm2 } from "./forms/pm2.ts";
import { supervisord } from "./forms/supervisord.ts";
import { systemdPath } from "./forms/systemd-path.ts";
import { systemd } from "./forms/systemd.ts";
import type { Form } from "./service.ts";

/** Every form, in the order in which they are listed. */
export const forms: readonly Form[] = [systemd, systemdPath, launchd, supervisord, pm2, docker];
