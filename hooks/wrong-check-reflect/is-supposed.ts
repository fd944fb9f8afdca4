import { findIn, vocabulary } from "./words.ts";

const suppositions = vocabulary("if unless whether suppose supposing");
/** "It would have been wrong", "when it was wrong". */
const conditions = vocabulary("should when whenever would could might");
/** "The reviewer thinks that I was wrong." */
const reporters = vocabulary("says thinks claims argues believes insists suggests");

/** How many words behind them these reach; a supposition reaches to the end of its sentence. */
const CONDITION_REACH = 5;
const REPORT_REACH = 3;

/** Whether what stands at `at` is only supposed, asked, or said by another. Later words and other sentences hide nothing. */
export function isSupposed(words: readonly string[], at: number): boolean {
  return (
    findIn(words, suppositions, 0, at) >= 0 ||
    findIn(words, conditions, at - CONDITION_REACH, at) >= 0 ||
    findIn(words, reporters, at - REPORT_REACH, at) >= 0
  );
}
