import type { Form, Service } from "../service.ts";
import { sign } from "../signature.ts";
import {
  escapeSpecifiers,
  formatServiceSection,
  getUnitPath,
  getUnitRemarks,
  getVariablesPlace,
} from "./systemd-unit.ts";

const PATH_UNIT = "catstack-on-demand.path";
const UNIT = "catstack-on-demand.service";

/**
 * Units of the user's systemd that start the watcher when a job lies in the inbox, or where a watcher that died had it; it ends after a minute
 * without one. The condition is looked at again whenever the service ends (systemd.path(5) of version 252), so no job is missed. There is
 * no start limit, since a limit that is reached fails the path unit as well, for good; a watcher that fails is started again after 10 s
 * whatever its exit code, and while that wait lasts nothing else starts it.
 */
export const systemdPath: Form = {
  name: "systemd-path",
  summary: "user units that start the watcher when there is a job",
  getFiles: (service) => [
    { path: getUnitPath(service, PATH_UNIT), text: sign(formatPathUnit(service)) },
    { path: getUnitPath(service, UNIT), text: sign(formatUnit(service)) },
  ],
  getStart: () => [
    ["systemctl", "--user", "daemon-reload"],
    ["systemctl", "--user", "enable", "--now", PATH_UNIT],
  ],
  getUpdate: () => [
    ["systemctl", "--user", "daemon-reload"],
    ["systemctl", "--user", "enable", PATH_UNIT],
    ["systemctl", "--user", "restart", PATH_UNIT],
  ],
  getStop: () => [
    ["systemctl", "--user", "disable", "--now", PATH_UNIT],
    ["systemctl", "--user", "stop", UNIT],
  ],
  runsItsCommands: true,
  variablesPlace: getVariablesPlace(UNIT),
  remarks: getUnitRemarks(UNIT),
};

/** A path is taken as it stands, without quotes. */
function formatPathUnit({ jobDirs }: Service): string {
  const conditions = jobDirs.map((dir) => `DirectoryNotEmpty=${escapeSpecifiers(dir)}\n`).join("");
  return `[Unit]
Description=catstack's jobs, for a watcher on demand

[Path]
${conditions}MakeDirectory=yes
DirectoryMode=0700
Unit=${UNIT}

[Install]
WantedBy=paths.target
`;
}

function formatUnit(service: Service): string {
  return `[Unit]
Description=catstack watch on demand, the judge of what coding agents report
StartLimitIntervalSec=0

${formatServiceSection(service, ["watch", "--idle-exit", "60"])}Restart=on-failure
RestartSec=10
`;
}
