import assert from "node:assert/strict";

/** What a file of others holds, as a type; each fails the test where it is something else. */

export function object(value: unknown): Record<string, unknown> {
  assert.ok(
    typeof value === "object" && value !== null && !Array.isArray(value),
    `expected an object, got ${JSON.stringify(value)}`,
  );
  return Object.fromEntries(Object.entries(value));
}

export function array(value: unknown): unknown[] {
  assert.ok(Array.isArray(value), `expected an array, got ${JSON.stringify(value)}`);
  return value;
}

export function text(value: unknown): string {
  assert.ok(typeof value === "string", `expected a text, got ${JSON.stringify(value)}`);
  return value;
}
