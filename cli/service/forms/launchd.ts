import type { Argv, Form, Service } from "../service.ts";
import { sign, type Comment } from "../signature.ts";

const LABEL = "catstack.watch";
/** `--` may not stand in a comment; the signature holds none. */
const COMMENT: Comment = ["<!-- ", " -->"];
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
/** 0077: a property list knows no octal numbers. */
const UMASK = 63;

/**
 * A launch agent of macOS. Printed and argued, never run: written from launchd.plist(5) and launchctl(1). `KeepAlive` with
 * `SuccessfulExit` false starts it at login and again after a failure, at most every 10 s. launchd knows no exit codes that mean "do not
 * try again". It ends the watcher's own process group only, so the watcher ends its runners itself, as everywhere. No `ProcessType`:
 * `Background` would slow the model CLIs down. The log has no rotation there; judge.log has.
 */
export const launchd: Form = {
  name: "launchd",
  summary: "a launch agent of macOS",
  getFiles: (service) => [{ path: getPath(service), text: sign(formatPlist(service), COMMENT, HEAD) }],
  getStart: (service) => [getBootstrap(service)],
  getUpdate: (service) => [getBootout(service), getBootstrap(service)],
  getStop: (service) => [getBootout(service)],
  runsItsCommands: false,
  variablesPlace: "your login session, after each login, with: launchctl setenv NAME VALUE",
  remarks: ["this form follows launchd's manual and was not run by us: check it with launchctl print"],
};

function getPath({ home }: Service): string {
  return `${home}/Library/LaunchAgents/${LABEL}.plist`;
}

function getBootstrap(service: Service): Argv {
  return ["launchctl", "bootstrap", `gui/${service.uid}`, getPath(service)];
}

function getBootout({ uid }: Service): Argv {
  return ["launchctl", "bootout", `gui/${uid}/${LABEL}`];
}

function formatPlist({ program, variables, home }: Service): string {
  const args = [...program, "watch"].map((arg) => `    <string>${escapeXml(arg)}</string>\n`).join("");
  const environment = variables
    .map(([name, value]) => `    <key>${escapeXml(name)}</key>\n    <string>${escapeXml(value)}</string>\n`)
    .join("");
  return `<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${args}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${environment}  </dict>
  <key>WorkingDirectory</key>
  <string>${escapeXml(home)}</string>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>30</integer>
  <key>Umask</key>
  <integer>${UMASK}</integer>
  <key>StandardErrorPath</key>
  <string>${escapeXml(`${home}/Library/Logs/catstack.log`)}</string>
</dict>
</plist>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
