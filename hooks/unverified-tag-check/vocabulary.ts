import { onFirstUse } from "../../lib/first-use.ts";
/** Parts of patterns over `Reading.words`: every word has one blank on either side, and each part here begins with the first of them. */

const adverbs =
  "actually|also|automatically|conclusively|completely|currently|definitively|directly|easily|either|empirically|end-to-end|even|ever|fully|here|however|independently|just|locally|manually|meaningfully|myself|personally|properly|really|reliably|simply|so far|still|therefore|thoroughly|thus|today|unfortunately|visually|yet";

/** Up to three adverbs. */
export const A = `(?: (?:${adverbs})){0,3}`;

/** "I could not", "I was unable to": it was not possible. */
const unable = [
  `(?:can|could)${A} not`,
  `(?:am|are|was|were|is)${A} (?:not able|unable) to`,
  `(?:have|had|has)${A} (?:not been able|been unable) to`,
  `will${A} not be able to`,
  "(?:have|had) no way to",
].join("|");

const verbs =
  "benchmark|build|check|compile|confirm|double-check|execute|exercise|lint|measure|prove|re-run|re-test|re-verify|reproduce|rerun|retest|run|smoke-test|spot-check|test|try|type-check|typecheck|validate|verify";
const verb = ` (?:${verbs})(?: (?:or|and|\\/) (?:${verbs}))?(?! out )`;
/** What can be done for another end than to check something. */
export const RUNNING = / (?:execute|executed|rerun|re-run|run|running|try|tried) /;
export const CHECK =
  /test|spec\b|specs\b|suite|check|lint|build|compil|typecheck|\btsc\b|e2e|bench|\bci\b|verif|valid|smoke|scenario|jest|pytest|playwright|cypress|integration|unit/i;

const participles =
  "benchmarked|built|checked|compiled|confirmed|double-checked|executed|exercised|measured|proven|proved|re-run|reproduced|rerun|run|smoke-tested|spot-checked|tested|tried|type-checked|typechecked|validated|verified";
export const DONE = ` (?:${participles})`;

const ability =
  "(?:(?:there (?:is|was) )?no way(?: for me)? to|(?:it (?:is|was) )?(?:not possible|impossible)(?: for me)? to|(?:not able|unable) to)";
/** "Could not verify": it was not possible. */
export const UNABLE = ` (?:${unable}|${ability})${A}${verb}`;
/** "Did not verify", "have not verified": it may have been possible. */
export const UNDONE = `(?: did${A} not${A}${verb}| (?:have|had|has)${A} not${A}${DONE})`;
export const UNCHECKED = "(?:untested|unverified|unvalidated|unconfirmed|unchecked)";

export const PRONOUN =
  /^ (?:it|this|that|them|these|those|they|so|either|any of (?:it|this|that|them|these)|all of (?:it|this|that)) $/;

/** What keeps anybody from looking: something is not there, or not to be reached. */
export const HINDRANCE =
  /\b(?:no|none|without|lack|lacks|lacking|unavailable|unreachable|inaccessible|offline|sandbox|sandboxed|headless|network|internet|environment|machine|container|device|hardware|gpu|browser|docker|credentials?|permissions?|api keys?|login|access|needs?|requires?|required|locally|here|rate-limited|quota|timed out|times out|not (?:yet )?(?:installed|available|reachable|accessible|running|configured|set up|possible|supported|provisioned|deployed|present|have|has|exist|support|allow|permit|reach|access|connect)|only (?:runs?|works?|available|exists?|builds?)|only(?: \S+){1,5} (?:is|are) (?:available|installed))\b/;

const gear =
  "access|accounts?|api keys?|browsers?|connection|credentials?|devices?|docker\\S*|emulators?|gpus?|hardware|licen[cs]es?|linux|mac\\S*|machines?|runners?|simulators?|vms?|windows|xcode";
/** Of the agent's own surroundings: without that, "the key could not be verified" tells what a program does. */
export const SURROUNDINGS = onFirstUse(
  () =>
    new RegExp(
      `\\b(?:unavailable|unreachable|inaccessible|offline|sandbox|sandboxed|network|internet|(?:this|my) (?:box|container|environment|host|laptop|machine|runner|session|setup|system|workspace)|locally|here|(?:i|we) (?:have no|do not have|lack|can not|could not)|rate-limited|quota|not (?:yet )?(?:available|connected|deployed|installed|provisioned|reachable|running)|(?:only|none)(?: \\S+){0,5} (?:is|are) (?:available|installed)|(?:no|without|without a|without an|missing|lacks?|lack of|needs?|needs an?|requires?|requires an?)(?: \\S+){0,2} (?:${gear}))\\b`,
    ),
);

/** No reason: what goes on at the moment, what somebody is to do, what nobody wanted. */
export const NO_REASON =
  /^ (?:about to|asked|check|checking|details|doing|going to|happy to|i (?:am (?:about|going|running|still|waiting|doing|checking)|will|can(?! not)|would|did not think|forgot|have not (?:gotten|got|started))|if|in progress|it (?:is|was) (?:not|un)(?: (?:asked|needed|necessary|requested|required|relevant|in scope)|necessary)|it (?:is|was) out of scope|let me|line|next|not (?:asked|in scope|needed|necessary|requested|relevant)|now|out of scope|please|pending|per your|running|see|shall|should|sign in|testing|that|the next|then|todo|try|verifying|want|whether|will|working|would|you (?:asked|can|could|did not|may|need|said|should|told|want|wanted|will))\b/;

/** Words of others, and what is only supposed. */
export const REPORTED =
  / (?:asked|asks|claimed|claims|complains|error|errors|if|in case|log|logs|message|messages|not that|nothing|phrases|print|prints|reads|reported|reports|said|say|says|shows|such as|suppose|supposing|tell|telling|tells|throws|told|unless|until|when|whenever|whether|would|write|writes|wrote) /;
export const EARLIER =
  /^ (?:before that|earlier|first|in the beginning|last time|originally|previously|so far|up to now|until now|yesterday) | (?:at first|initially) /;

/** It was done in the end. */
export const RESOLVED =
  / (?:now|then|afterwards|eventually|later|since then|in the end)(?: \S+){0,8} (?:confirm|confirmed|confirms|green|pass|passed|passes|ran|run|runs|tested|verified|work|worked|works) | so (?:i|we)(?: then)? (?:added|built|created|fixed|installed|mocked|ran|re-ran|reran|set up|spun up|started|switched|upgraded|verified|tested|checked) | but (?:i|we) (?:did|have since|have now|then) /;

/** "In this sandbox". */
export const PLACE =
  " (?:in|inside|within|from) (?:this|the|my|our) (?:current )?(?:ci|container|environment|machine|sandbox|session|setup|workspace)";

/** A text without any of these admits nothing. */
export const MAY_ADMIT =
  /n['’]t\b|\bnot\b|\bcannot\b|\bunable\b|\bun(?:tested|verified|validated|confirmed|checked)\b|\bno way\b|\bimpossible\b|\bskip/i;
