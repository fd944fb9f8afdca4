import type { Problem } from "./problem.ts";

/**
 * Where a value is not what is wanted of it. A list must fit as a whole and in order; of an object only the keys of `wanted` are looked at.
 */
export function compare(what: string, wanted: unknown, got: unknown): readonly Problem[] {
  if (isList(wanted) && isList(got)) return compareLists(what, wanted, got);
  if (isRecord(wanted) && isRecord(got)) {
    return Object.entries(wanted).flatMap(([key, part]) => compare(`${what}.${key}`, part, got[key]));
  }
  return Object.is(wanted, got) ? [] : [{ what, expected: wanted, got }];
}

function compareLists(what: string, wanted: readonly unknown[], got: readonly unknown[]): readonly Problem[] {
  const length = Math.max(wanted.length, got.length);
  return Array.from({ length }, (_, i) => compare(`${what}[${i}]`, wanted[i], got[i])).flat();
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !isList(value);
}
