/** Milliseconds of a clock that only ever goes forward at its own pace, whatever the time of day is set to. Its zero means nothing. */
export function getMonotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
