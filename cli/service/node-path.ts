/** Where package managers keep a link to the node that they installed last. */
const LASTING = [
  "/usr/bin",
  "/usr/local/bin",
  "/opt/homebrew/bin",
  "/home/linuxbrew/.linuxbrew/bin",
  "/run/current-system/sw/bin",
];

const SYSTEM = ["/usr/bin", "/bin"];

/**
 * The path under which this node is there tomorrow as well. Homebrew and Nix remove the folder of a version when they install the next
 * one, and keep a link that `isThisNode`; version managers such as nvm and fnm keep the folder of a version, and their links change with
 * the shell. So a lasting link is taken where there is one, else the file itself.
 */
export function selectNodePath(execPath: string, home: string, isThisNode: (path: string) => boolean): string {
  const links = [...LASTING, `${home}/.nix-profile/bin`].map((folder) => `${folder}/node`);
  return links.find(isThisNode) ?? execPath;
}

/**
 * The PATH of the service: that of the shell, absolute folders only, since supervisors have a short one on which no model CLI is found.
 * The folder of node belongs in it: CLIs that npm installed begin with `env node` and lie beside it, while the folder that a version
 * manager had put on PATH may be gone with the shell. So do the system's folders, where systemd-notify is.
 */
export function getServicePath(shellPath: string, execFolder: string): string {
  const folders = shellPath.split(":").filter((folder) => folder.startsWith("/"));
  const all = folders.includes(execFolder) ? folders : [execFolder, ...folders];
  return [...new Set([...all, ...SYSTEM])].join(":");
}
