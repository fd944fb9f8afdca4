import { isRecord } from "../../inbox-schema/describe.ts";
import { isDeeperThan } from "../../inbox-schema/problem.ts";
import type { Answer } from "./runner.ts";

/** An answer is kept in the verdict file: a longer or deeper one is none. */
const MAX_CHARACTERS = 64 * 1024;
const MAX_DEPTH = 64;

/**
 * Finds the answer in what a CLI printed: the last JSON object that stands alone on a line, or that fills a closed code fence.
 * A fence that is never closed was cut off and holds nothing, not even in a single line of it. Never throws.
 */
export function parseAnswer(stdout: string): Answer | undefined {
  let answer: Answer | undefined;
  let fence: { readonly mark: string; readonly lines: string[] } | undefined;
  for (const line of stdout.split(/\r\n|\r|\n/)) {
    if (fence === undefined) {
      const mark = findOpening(line);
      if (mark === undefined) answer = parseObject(line) ?? answer;
      else fence = { mark, lines: [] };
    } else if (isClosing(line, fence.mark)) {
      answer = parseFence(fence.lines) ?? answer;
      fence = undefined;
    } else {
      fence.lines.push(line);
    }
  }
  return answer;
}

/** Three or more of ` or ~ at the line's start and no ` after them. Not one pattern: it would try every length of a long row. */
function findOpening(line: string): string | undefined {
  const text = line.trimStart();
  const mark = /^(?:`{3,}|~{3,})/.exec(text)?.[0];
  return mark === undefined || text.includes("`", mark.length) ? undefined : mark;
}

/** As in Markdown: the same character, at least as often, and nothing else. */
function isClosing(line: string, mark: string): boolean {
  const text = line.trim();
  return text.startsWith(mark) && text === mark.charAt(0).repeat(text.length);
}

function parseFence(lines: readonly string[]): Answer | undefined {
  return parseObject(lines.join("\n")) ?? lines.map(parseObject).findLast((object) => object !== undefined);
}

function parseObject(text: string): Answer | undefined {
  const json = text.trim();
  if (!json.startsWith("{") || json.length > MAX_CHARACTERS) return undefined;
  try {
    const value: unknown = JSON.parse(json, withoutPrototype);
    return isRecord(value) && !isDeeperThan(value, MAX_DEPTH) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Drops keys that would set a prototype where somebody copies the answer key by key. */
function withoutPrototype(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
}
