import { join } from "node:path";
import { errorCode } from "../../lib/io/error-code.ts";
import { getHome, type Env } from "../../lib/io/paths.ts";
import { readSmallFile } from "../../lib/io/read-small-file.ts";
import { noProvider, parseCodexProvider, type CodexProvider } from "./codex-provider.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/** The user's codex provider, from `$CODEX_HOME/config.toml`, else `~/.codex/config.toml`. Never throws. */
export function readCodexProvider(env: Env): CodexProvider {
  const path = join(env["CODEX_HOME"] || join(getHome(env), ".codex"), "config.toml");
  try {
    const file = readSmallFile(path, MAX_BYTES);
    if (file.is === "nothing") return noProvider;
    if (file.is === "other") return { args: [], note: `${path}: cannot be read (${file.reason})` };
    const provider = parseCodexProvider(file.bytes.toString("utf8"));
    return provider.note === undefined ? provider : { ...provider, note: `${path}: ${provider.note}` };
  } catch (error) {
    return { args: [], note: `${path}: cannot be read (${errorCode(error) ?? String(error)})` };
  }
}
