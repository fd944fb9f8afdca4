/** The `code` of a system error such as `ENOENT`, or of one of Node's; undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** One of the system's, such as a full disk or a missing right: not a mistake in our own code, which would come again for ever. */
export function isSystemError(error: unknown): boolean {
  return /^E[A-Z0-9]+$/.test(errorCode(error) ?? "");
}
