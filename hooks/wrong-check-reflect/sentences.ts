export interface Sentence {
  /** Where it begins in the text. */
  readonly start: number;
  /** In lower case, contractions as two words; marks within a sentence are words too. */
  readonly words: readonly string[];
  /** It goes on from the one before: no new paragraph, item, cell or heading lies between. */
  readonly followsOn: boolean;
}

/** A text without marks is cut into pieces: what stands further apart is no one sentence. */
const MAX_WORDS = 80;

const TOKEN =
  /[a-z]+(?:[-'][a-z]+)*|\d+(?:[.,]\d+)*|(?<![.!?])[.!?]+(?=[\s"')\]*_]|$)|[,;:()|—–]|\n\s*\n|\n\s*(?:[-*+|#]|\d+[.)])\s?|\s-+\s/gi;
const END = /^[.!?]/;
const BREAK = /^(?:\n|\|)/;

/** The sentences of a text, in order, each with at least one word. */
export function splitSentences(text: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let words: string[] = [];
  let start = 0;
  let followsOn = false;
  const end = (goesOn: boolean): void => {
    if (words.length > 0) sentences.push({ start, words, followsOn });
    followsOn = goesOn && (words.length > 0 || followsOn);
    words = [];
  };
  for (const { 0: token, index } of text.replaceAll("’", "'").matchAll(TOKEN)) {
    if (BREAK.test(token)) end(false);
    else if (END.test(token)) end(true);
    else {
      if (words.length === 0) start = index;
      words.push(...toWords(token.toLowerCase()));
      if (words.length >= MAX_WORDS) end(true);
    }
  }
  end(false);
  return sentences;
}

const contractions: ReadonlyMap<string, string> = new Map([
  ["s", "is"],
  ["re", "are"],
  ["ve", "have"],
  ["d", "had"],
  ["m", "am"],
  ["ll", "will"],
]);
const shortened: ReadonlyMap<string, string> = new Map([
  ["can't", "can"],
  ["won't", "will"],
]);

/** "isn't" is "is not", "I'd" is "i had". */
function toWords(token: string): readonly string[] {
  const at = token.indexOf("'");
  if (at < 0) return [/^\s-+\s$/.test(token) ? "—" : token];
  if (token.endsWith("n't")) return [shortened.get(token) ?? token.slice(0, -3), "not"];
  const rest = contractions.get(token.slice(at + 1));
  return rest === undefined ? [token.replace("'", "")] : [token.slice(0, at), rest];
}
