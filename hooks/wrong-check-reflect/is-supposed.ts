import { hasWithin, vocabulary } from "../../lib/prose/vocabulary.ts";

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
    hasWithin(words, 0, at, suppositions) ||
    hasWithin(words, at - CONDITION_REACH, at, conditions) ||
    hasWithin(words, at - REPORT_REACH, at, reporters)
  );
}
