/** What a dictionary is held against: the assistant's last reply, the person's last message, or both. */
export type Reads = "reply" | "user" | "exchange";

/**
 * What a hook asks the judge, as data: `phrases.json` in the hook's folder. It grows by real texts: a miss goes to `match`, a false alarm to
 * `not_match`.
 */
export interface PhraseDictionary {
  /** The hook's id, which is the name of its folder. */
  readonly checker: string;
  /** One sentence: what the text says when it matches. */
  readonly meaning: string;
  readonly reads: Reads;
  readonly match: readonly string[];
  readonly not_match: readonly string[];
  /** What the agent is told on a hit. */
  readonly on_hit: string;
}
