import * as z from "zod";

// Every check in this folder carries, as its message, what it expects: a phrase that completes "expected `key` to be ...".
// describe.ts builds the reason from it, so that a person never has to read a validator's own wording.

/** A name that is safe as a file name everywhere and never a path. */
export const ID_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

const someText = "a string that is not empty";
const lowerHex = "16 characters of 0-9 and a-f";
const moment = "a time like 2026-01-31T09:30:00Z";

/** Text that must say something. */
export const text = z.string(someText).min(1, someText);

export const id = z
  .string("1 to 64 letters, digits, `_` or `-`")
  .regex(ID_PATTERN, "1 to 64 letters, digits, `_` or `-`");

const createHash = () => z.string(lowerHex).regex(/^[0-9a-f]{16}$/, lowerHex);

export const transcriptKey = createHash();

export const jobHash = createHash();

export const mode = z.enum(["default", "investigate"], '"default" or "investigate"');

/** RFC 3339 with seconds and `Z` or an offset: most languages write UTC as `+00:00`. */
export const time = z.iso.datetime({ offset: true, error: moment });

/** Keys that would reach an object's prototype when a careless reader copies them; no file of ours may hold them. */
export const FORBIDDEN_KEYS = ["__proto__", "constructor", "prototype"] as const;

/** What JSON Schema says about `FORBIDDEN_KEYS`; the parsers check the same, since zod cannot. */
export const withoutForbiddenKeys = { propertyNames: { not: { enum: [...FORBIDDEN_KEYS] } } };
