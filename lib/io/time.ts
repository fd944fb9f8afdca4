/** A time as we write them, ISO 8601, or any other text that names a moment: not every file here was written by this build. */
export function isTime(value: unknown): value is string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}
