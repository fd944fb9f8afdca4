import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { array, assert as assertProperty, constantFrom, property } from "fast-check";
import { findCode } from "../../lib/prose/find-code.ts";
import { findFences } from "../../lib/prose/find-fences.ts";
import { findQuotations, findQuotedLines } from "../../lib/prose/find-quotations.ts";
import { maskBlocks, maskCode, maskQuoted } from "../../lib/prose/mask.ts";
import type { Span } from "../../lib/prose/spans.ts";
import { measureGrowth, MOST_GROWTH } from "../helpers/growth.ts";
import { hooks } from "../../hooks/index.ts";
import { emptyDigest } from "../../lib/transcript/digest.ts";

/** What is found in a text, by the texts of the spans. */
function tell(
  what: string,
  find: (text: string) => readonly Span[],
  table: Readonly<Record<string, readonly string[]>>,
) {
  describe(what, () => {
    for (const [text, spans] of Object.entries(table))
      test(`${JSON.stringify(text)} holds ${JSON.stringify(spans)}`, () => {
        assert.deepEqual(
          find(text).map(({ start, end }) => text.slice(start, end)),
          spans,
        );
      });
  });
}

tell("a fenced block", findFences, {
  "no fence": [],
  "a\n```\nb\n```\nc": ["```\nb\n```"],
  "```ts\na\n```ts\nb\n```": ["```ts\na\n```ts\nb\n```"],
  "````\n```\na\n````\nb": ["````\n```\na\n````"],
  "~~~\n```\n~~~\na\n```\nb": ["~~~\n```\n~~~", "```\nb"],
  "- ```js\n  a\n  ```\nb": ["- ```js\n  a\n  ```"],
  "10. ~~~\n~~~~": ["10. ~~~\n~~~~"],
  "> ```\n> a\n> ```\nb": ["> ```\n> a\n> ```"],
  "> ```\n> a\nb": ["> ```\n> a"],
  "> ```\n```\na\n```\nb": ["> ```", "```\na\n```"],
  "```\n> ```\n```\na": ["```\n> ```\n```"],
  "```js\r\na\r\n```\r\nb": ["```js\r\na\r\n```\r"],
  "``` a ``` b\nc": [],
  "~~~ `a`\nb": ["~~~ `a`\nb"],
});

test("a fenced block tells whether a line closes it", () => {
  const isClosed = (text: string): readonly boolean[] => findFences(text).map(({ closed }) => closed);
  assert.deepEqual(isClosed("```\na\n```\n~~~\nb"), [true, false]);
  assert.deepEqual(isClosed("> ```\n> a\nb"), [false]);
});

tell("inline code", findCode, {
  "no code": [],
  "say `a` and `b c`": ["`a`", "`b c`"],
  "say ``a ` b`` now": ["``a ` b``"],
  "`a ``b`` c` d": ["`a ``b`` c`"],
  "``a `b` c": ["`b`"],
  "a ` b": [],
  "a ` b\nc ` d": [],
});

tell("a quotation", findQuotations, {
  'he said "a b", then "c".': ['"a b"', '"c"'],
  "he said “a b” and (“c”)": ["“a b”", "“c”"],
  'a 5" panel and a 6" one': [],
  'say " a "': [],
  'say "a\nb"': [],
  'one "mark, then "a b"': ['"a b"'],
  [`"${"a".repeat(299)}"`]: [`"${"a".repeat(299)}"`],
  [`"${"a".repeat(300)}"`]: [],
});

tell("a quoted line", findQuotedLines, {
  "> a\nb\n  >c\n": ["> a", "  >c"],
  "a > b": [],
});

describe("a mask", () => {
  const said: readonly (readonly [text: string, left: string])[] = [
    ["say `a` now", "say XXX now"],
    ["say `a b", "say `a b"],
    ['say "a `b"` c"', "say XXXXXXXXXX"],
    ['say "`a`".', "say XXXXX."],
    ["```\na\n```\nb", "   \n \n   \nb"],
    ["> a\nb", "   \nb"],
  ];
  for (const [text, left] of said)
    test(`of ${JSON.stringify(text)} leaves ${JSON.stringify(left)}`, () => {
      assert.equal(maskQuoted(text, findFences(text), "X"), left);
    });

  test("hides the fences that it is given, and no others", () => {
    const text = "```\n> a\nb";
    assert.equal(maskBlocks(text, []), "```\n   \nb");
    assert.equal(maskBlocks(text, findFences(text)), "   \n   \n ");
  });

  test("makes one word of code, however many it has", () =>
    assert.equal(maskCode("run `a b` now", "`"), "run ````` now"));

  test("blanks out in place: what is left stands where it stood, in lines of the same length", () => {
    const pieces = constantFrom("a", " ", "\n", "\r", "`", "```", "~~~", '"', "“", "”", "> ", "- ", "5", "🐱", ".");
    assertProperty(
      property(array(pieces, { maxLength: 60 }), (parts) => {
        const text = parts.join("");
        const masked = maskQuoted(text, findFences(text), " ");
        assert.equal(masked.length, text.length);
        for (let i = 0; i < text.length; i++)
          assert.ok(masked[i] === text[i] || (masked[i] === " " && text[i] !== "\n"));
      }),
    );
  });

  const LENGTH = 1024 * 1024;
  const ofManyLengths = (length: number): string => {
    const runs = Math.floor(Math.sqrt(2 * length));
    return Array.from({ length: runs }, (_, i) => "`".repeat(i + 1)).join(" ");
  };
  const repeat =
    (pump: string) =>
    (length: number): string =>
      pump.repeat(length / pump.length);
  const pumps = ["`", "` ", "\n", " ", "\r", "\u2028", ">", "> a\n", "> ```\n", "``` \n", "- ", '"', ' "a', "“a", "”"];
  const fills = [
    ...pumps.map((pump) => [JSON.stringify(pump), repeat(pump)] as const),
    ["runs", ofManyLengths] as const,
  ];
  for (const [name, fill] of fills) {
    test(`takes time in proportion to the text: ${name}`, () => {
      const growth = measureGrowth((length) => {
        const text = fill(length);
        maskQuoted(text, findFences(text), "X");
      }, LENGTH);
      assert.ok(growth < MOST_GROWTH, `grows ${growth} times`);
    });
  }
});

describe("hooks that judge the words of a reply", () => {
  const judged = {
    "diu-stop": `${"Wired up the seam and went on with the next one. ".repeat(20)}\n`,
    "unverified-tag-check": "{{CAT-UNVERIFIED: the login works -- cannot verify: no network}}\n",
    "wrong-check-reflect": "My earlier claim was wrong.\n",
  };
  for (const [id, words] of Object.entries(judged)) {
    test(`${id} reads no further than any model writes`, () => {
      const hook = hooks.find((each) => each.id === id);
      assert.ok(hook);
      const countJobs = (reply: string): number => {
        const digest = { ...emptyDigest, lastHuman: "Fix the login." };
        const input = { harness: "claude", event: "Stop", reply, cwd: "/repo", digest } as const;
        return hook.check({ ...input, settings: { mode: "advise" } }).jobs.length;
      };
      assert.ok(countJobs("\n".repeat(90_000) + words) > 0);
      assert.equal(countJobs("\n".repeat(100_000) + words), 0);
    });
  }
});
