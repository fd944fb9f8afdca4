import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../lib/io/publish-file.ts";
import { getHome, type Env } from "../../lib/io/paths.ts";
import { noProvider, parseCodexProvider, type CodexProvider } from "./codex-provider.ts";

/** The user's codex provider, from `$CODEX_HOME/config.toml`, else `~/.codex/config.toml`. Never throws. */
export function readCodexProvider(env: Env): CodexProvider {
  const path = join(env["CODEX_HOME"] || join(getHome(env), ".codex"), "config.toml");
  try {
    const provider = parseCodexProvider(readFileSync(path, "utf8"));
    return provider.note === undefined ? provider : { ...provider, note: `${path}: ${provider.note}` };
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT" ? noProvider : { args: [], note: `${path}: cannot be read (${code ?? String(error)})` };
  }
}
