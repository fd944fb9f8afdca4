import type { Admission } from "./find-tags.ts";

/** An admission that is to be asked about. */
export interface Selected extends Admission {
  /** Names the claim: what differs in letter case or marks only is the same. */
  readonly key: string;
  readonly tagged: boolean;
}

/** Each costs minutes of a model. */
const MAX_A_REPLY = 3;

/**
 * The first of them, tags before plain words, each claim once. Plain words repeat what was asked before when one claim is a part of the other, or when they
 * stand in one sentence with its tag.
 */
export function selectAdmissions(tags: readonly Admission[], plain: readonly Admission[]): readonly Selected[] {
  const selected: Selected[] = [];
  for (const admission of [...tags, ...plain]) {
    if (selected.length === MAX_A_REPLY) break;
    const tagged = tags.includes(admission);
    const key = normalizeClaim(admission.claim);
    const isAsked = selected.some((other) =>
      tagged || other.key === key ? other.key === key : isPart(other.key, key) || isPart(key, other.key),
    );
    const isTagged = !tagged && tags.some(({ start, end }) => start >= admission.start && end <= admission.end);
    if (!isAsked && !isTagged) selected.push({ ...admission, key, tagged });
  }
  return selected;
}

/** Lower case; what is no word becomes one blank. */
function normalizeClaim(claim: string): string {
  return claim
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_]+/gu, " ")
    .trim();
}

function isPart(whole: string, part: string): boolean {
  return ` ${whole} `.includes(` ${part} `);
}
