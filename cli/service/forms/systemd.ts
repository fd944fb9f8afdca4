import type { Form } from "../service.ts";
import { sign } from "../signature.ts";
import { formatServiceSection, getUnitPath, getUnitRemarks, getVariablesPlace } from "./systemd-unit.ts";

const UNIT = "catstack.service";

/**
 * A unit of the user's systemd, which runs all the time. `RestartPreventExitStatus` holds what only a person can mend: a wrong call, a
 * state directory that cannot be written, broken settings. Everything else, such as a full disk, passes: it is tried again for ever, every
 * 10 s, since a start limit that is reached would end the watcher for good.
 */
export const systemd: Form = {
  name: "systemd",
  summary: "a user unit that runs all the time",
  getFiles: (service) => [
    { path: getUnitPath(service, UNIT), text: sign(formatUnit(formatServiceSection(service, ["watch"]))) },
  ],
  getStart: () => [
    ["systemctl", "--user", "daemon-reload"],
    ["systemctl", "--user", "enable", "--now", UNIT],
  ],
  getUpdate: () => [
    ["systemctl", "--user", "daemon-reload"],
    ["systemctl", "--user", "enable", UNIT],
    ["systemctl", "--user", "restart", UNIT],
  ],
  getStop: () => [["systemctl", "--user", "disable", "--now", UNIT]],
  runsItsCommands: true,
  variablesPlace: getVariablesPlace(UNIT),
  remarks: getUnitRemarks(UNIT),
};

function formatUnit(serviceSection: string): string {
  return `[Unit]
Description=catstack watch, the judge of what coding agents report
StartLimitIntervalSec=0

${serviceSection}Restart=on-failure
RestartSec=10
RestartPreventExitStatus=2 77 78

[Install]
WantedBy=default.target
`;
}
