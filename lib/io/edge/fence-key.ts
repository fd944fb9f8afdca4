import { createHmac, randomBytes } from "node:crypto";
import { dirname } from "node:path";
import type { NonceOf } from "../../outcome/render-prompt.ts";
import type { StatePaths } from "../paths.ts";
import { makePrivateDir, publishOnce } from "../publish-file.ts";
import { readSmallFile } from "../read-small-file.ts";

const KEY_BYTES = 32;
const MAX_FILE_BYTES = 4096;

/**
 * The marks of fences around judged text: an HMAC of the text, so that equal texts have equal marks and nobody without the key
 * knows them. The key is made when it is first needed.
 */
export function createFenceNonce(paths: StatePaths): NonceOf {
  let key: string | undefined;
  return (text) => {
    key ??= readFenceKey(paths);
    return `fence-${createHmac("sha256", key).update(text).digest("hex").slice(0, 32)}`;
  };
}

function readFenceKey({ fenceKey, tmp }: StatePaths): string {
  const key = findKey(fenceKey) ?? createKey(fenceKey, tmp);
  if (key.length >= KEY_BYTES) return key;
  throw new Error(`expected a key of ${KEY_BYTES} bytes in ${fenceKey}, got ${key.length}; delete the file`);
}

function findKey(path: string): string | undefined {
  const file = readSmallFile(path, MAX_FILE_BYTES);
  if (file.is === "other") throw new Error(`${file.reason} (${path}); delete it`);
  return file.is === "nothing" ? undefined : file.bytes.toString("utf8").trim();
}

/** Two hooks at once: the first to publish has made the key for both. */
function createKey(path: string, tmp: string): string {
  makePrivateDir(dirname(path));
  makePrivateDir(tmp);
  publishOnce(path, `${randomBytes(KEY_BYTES).toString("hex")}\n`, tmp);
  return findKey(path) ?? "";
}
