import assert from "node:assert/strict";
import { test } from "node:test";
import { clipText, cutText } from "../../lib/cut-text.ts";

test("a text that is too long ends in a dot of three, never in half a character", () => {
  assert.equal(clipText("abcd", 4), "abcd");
  assert.equal(clipText("abcde", 4), "abc…");
  // The cat is two code units: of four, one is the sign that more follows, and half a cat is none.
  assert.equal(clipText("ab🐈de", 4), "ab…");
  assert.equal(clipText("ab🐈de", 5), "ab🐈…");
  assert.equal(cutText("ab🐈", 3), "ab");
});
