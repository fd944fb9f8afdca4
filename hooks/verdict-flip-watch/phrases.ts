/**
 * The words by which a reply says that a check fails, or takes an earlier status back. Each pattern carries what makes it
 * mean something else: "0 failed", "no tests fail" and "the failing test is fixed" are not statements of a failure.
 */

/** Fails now. Modal verbs and set phrases such as "fail fast" or "failed to load" are about something else. */
const fails =
  /(?<!\b(?:would|could|can|may|might|should|must)\s+(?:\w+\s+)?|\b(?:to|on|upon)\s+)\b(?:fail(?:s|ed|ing)?(?![\s-]?(?:fast|safe|soft|over|open|closed|early|loudly|silently|gracefully|cleanly)\b)(?!\s+to\s+(?!pass|compile|build|run|start|finish))|regress(?:es|ed)?|broken?|breaks|breaking(?!\s+change)|crash(?:es|ed|ing)?|errors\s+out|errored|times?\s+out|timed\s+out|timing\s+out)\b/i;
const isRed = /\b(?:is|are|now|still|went|turned|goes|stays|remains|back\s+to)\s+(?:\w+\s+)?red\b/i;
/** Nouns; a "no" anywhere before them in the sentence denies them. */
const failureNoun =
  /(?<!\b(?:on|upon|of|expected)\s+)\b(?:failures?(?!\s+(?:handling|modes?|paths?|cases?|messages?|scenarios?|states?|rates?|injection))|regressions?(?!\s+(?:tests?|suite|checks?|runs?)))\b/i;
const reportsErrors =
  /\b(?:reports?|shows?|gives?|throws?|prints?|has|have|hits?|still|now)\s+(?:[\w-]+\s+){0,3}errors?\b/i;
const countOfFailures =
  /(?<![\w.])(?:[1-9]\d*|one|two|three|four|five|some|several)\s+(?:of\s+(?:the\s+)?(?:\d+\s+)?)?(?:[\w-]+\s+){0,3}(?:fail(?:s|ed|ing|ures?)?|errors?|problems?|issues?)\b/i;
const exitStatus = /\bexit(?:s|ed)?(?:\s+with)?(?:\s+(?:code|status))?[\s:=]+[1-9]\d*\b/i;
const cross = /❌|✗|✘|🔴/u;
/** The cell of a table, or the end of a line. */
const crossAlone = /^\W*(?:❌|✗|✘|🔴)\W*\w*\W*$/u;
/** "does not pass", "not all tests pass", "could not get the test to pass". */
const deniesPass =
  /(?:\b(?:not(?!\s+only)|never|no\s+longer|cannot)|n['’]t)\s+(?:[\w`.-]+\s+){0,3}?(?:(?:get|make)\s+(?:[\w`.-]+\s+){0,4}?to\s+)?(?:pass(?:es|ed|ing)?|succeed(?:s|ed|ing)?|green|compil(?:e|es|ed|ing)|clean)\b/i;
/** The status is left open: "I have not re-run the tests". */
const leavesOpen =
  /(?:\b(?:not|never|without)|n['’]t)\s+(?:\w+\s+){0,3}?(?:re-?run(?:ning)?|re-?ran|re-?checked|re-?verified|re-?tested|verified)\b|(?:\b(?:not|never)|n['’]t)\s+(?:\w+\s+){0,1}run\b[^.]*\bagain\b|\bunverified\b/i;

/** "I have not fixed the failing test": the denial is not about the failure. */
const leftBroken =
  /(?:\b(?:not|never|unable\s+to|cannot)|n['’]t)\s+(?:\w+\s+){0,2}?(?:fix|resolv|repair|address|solv)\w*\s.*\b(?:fail|broken)/i;

const denials = /\b(?:no|not|never|nothing|none|without|zero|neither|nor|cannot|hardly|0)\b|n['’]t\b/i;
const quantifier = /\b(?:no(?!\s+longer)|without|zero|neither|nor|0)\b/i;
const zeroAfter = /^\s*[:=]?\s*(?:0|none|zero|no)\b/i;
/** A denial that reaches a verb stands at most this many words before it, in the same clause. */
const denialReach = 6;

const condition = /^\W*(?:if|when|whenever|whether|unless|until|once|in case)\b/i;
const persists = /\b(?:still|again|remains?|now\s+(?:fail|break|broken|red|crash))/i;
const resolved =
  /(?<!\b(?:not|never|be|to|can|will|must|should|could)\s+(?:\w+\s+)?|n['’]t\s+(?:\w+\s+)?)\b(?:fix(?:ed|es)?|resolv(?:ed|es)|repair(?:ed|s)|address(?:ed|es)|solv(?:ed|es)|clear(?:ed|s)|gone)\b|\bnow\s+(?:all\s+)?(?:pass|green|clean)|\bpass(?:es|ed|ing)?\s+(?:now|again)\b|\b(?:is|are)\s+green\b|\ball\s+(?:[\w-]+\s+){0,3}(?:pass|green)/i;
const historical =
  /\b(?:previously|formerly|initially|originally|first)[\s-]+(?:fail|broken|red)|\b(?:was|were|been|used\s+to|had)\s+(?:be\s+)?(?:fail|broken|red)|\bfailed\s+(?:at\s+first|initially|originally)\b/i;
/** A test written to fail, or written about something that fails. */
const testFirst =
  /\b(?:wrote|writ(?:e|es|ing|ten)|add(?:s|ed|ing)?|start(?:s|ed|ing)?\s+with|creat(?:es?|ed|ing)|cover(?:s|ed|ing)?)\b.*\b(?:fail|broken)/i;
/** Left red on purpose, unless the sentence goes on to make it pass. */
const newFailingTest = /\bfailing\s+(?:[\w-]+\s+)?(?:tests?|specs?|checks?)\b|\b(?:tests?|specs?)\s+that\s+fails?\b/i;
const failingAsAdjective = /\b(?:failing|broken)\s+\w/i;
const passes = /\bpass(?:es|ed|ing)?\b/i;
const pastFailure = /\b(?:failed|broke|regressed|crashed|errored|timed\s+out)\b/i;

/** Whether a clause says that something fails now or is left unchecked. What fails is the caller's to find out. */
export function statesFailure(clause: string, sentence: string): boolean {
  if (condition.test(clause)) return false;
  if ([leavesOpen, deniesPass, leftBroken].some((pattern) => pattern.test(clause))) return true;
  if (isRepaired(clause, sentence)) return false;
  if (cross.test(clause) || exitStatus.test(clause) || (isRed.test(clause) && !isDenied(clause, isRed))) return true;
  if (failureNoun.test(clause) && !isDeniedNoun(clause, sentence)) return true;
  return [fails, reportsErrors, countOfFailures].some((pattern) => pattern.test(clause) && !isDenied(clause, pattern));
}

function isRepaired(clause: string, sentence: string): boolean {
  if (persists.test(clause)) return false;
  if (historical.test(clause) || resolved.test(clause)) return true;
  if (testFirst.test(clause)) return !newFailingTest.test(clause) || passes.test(sentence);
  if (failingAsAdjective.test(clause) && passes.test(clause)) return true;
  return pastFailure.test(clause) && resolved.test(sentence) && !leavesOpen.test(sentence);
}

function isDenied(clause: string, pattern: RegExp): boolean {
  const match = pattern.exec(clause);
  if (match === null) return false;
  return (
    denials.test(lastWords(clause.slice(0, match.index))) || zeroAfter.test(clause.slice(match.index + match[0].length))
  );
}

/** "No lint, type or test failures": the "no" reaches over the commas. */
function isDeniedNoun(clause: string, sentence: string): boolean {
  const before = sentence.slice(0, sentence.indexOf(clause));
  return isDenied(clause, failureNoun) || quantifier.test(lastWords(before));
}

function lastWords(text: string): string {
  return text.trim().split(/\s+/).slice(-denialReach).join(" ");
}

/** "it fails now", "are failing", "2 still fail": the subject is a word for something said before. */
const elliptic =
  /^\W*(?:(?:now|then|still|also|again|is|are|has|have)\s+)*(?:fail|broke|regress|crash|errors\s+out|red\b|exit|not\b|no\s+longer|does|do\b|don|isn|aren|[1-9])/i;
const pronoun =
  /\b(?:it|they|this|that|these|those|both|all|some|one|two|three|four|five|[1-9]\d*)\s+(?:(?:of\s+(?:them|these|those)|now|still|both|all|again|has|have|is|are|does|do)(?:n['’]t)?\s+)*(?:fails?|failed|failing|regress(?:es|ed)?|broken|broke(?!\s+(?:the|a|an|my|our))|red|errors\s+out|not\s+pass|not\s+green|passing)\b/i;

/** Whether the subject is a word such as "it" or "two". */
export function hasPronoun(clause: string): boolean {
  return pronoun.test(clause);
}

/** Whether the clause leaves its subject out. */
export function isElliptic(clause: string): boolean {
  return elliptic.test(clause) || crossAlone.test(clause) || leavesOpen.test(clause);
}

const status = String.raw`(?:status|claim|report|result|pass|green|statement|summary|conclusion|verification|answer|run|numbers?|count)s?`;
const untrue = String.raw`(?:wrong|incorrect|mistaken|stale|vacuous|premature|misread|outdated|out\s+of\s+date|obsolete|invalid|untrue|false)`;
const firstPerson =
  /\bI\s+(?:(?:was|am|had\s+been)\s+(?:wrong|mistaken|incorrect|premature)(?!\s+(?:about|on|regarding))|misreported|misstated|overstated|spoke\s+too\s+soon|(?:(?:must|have\s+to|now|hereby)\s+)*retract)\b/i;
const retractions: readonly RegExp[] = [
  new RegExp(
    String.raw`\b${status}\b[^.]*?\b(?:is|are|was|were|turned\s+out(?:\s+to\s+be)?|looks?)\s+(?:now\s+)?${untrue}\b`,
    "i",
  ),
  new RegExp(
    String.raw`\b(?:earlier|previous|prior|last|first|old|my)\s+(?:[\w-]+\s+){0,2}${status}\b[^.]*?(?:\bnot\b|n['’]t\b|\bno\s+longer\b|\b${untrue}\b|\bsupersed|\bbefore\b)`,
    "i",
  ),
  new RegExp(String.raw`\b${untrue}\s+${status}\b`, "i"),
];
/** Words that take something back wherever the sentence is about a check. */
const takenBack =
  /\b(?:retract(?:s|ed|ing|ion)?|vacuous(?:ly)?|stale|premature(?:ly)?|misread|I\s+was\s+(?:wrong|mistaken))\b|\b(?:no\s+longer|(?:does|do|did)(?:\s+not|n['’]t))\s+(?:be\s+)?(?:true|holds?|appl(?:y|ies)|valid|accurate|stands?|correct)\b/i;

/** Whether the sentence takes an earlier status back. `aboutCheck`: it mentions a check of some kind. */
export function takesBackStatus(sentence: string, aboutCheck: boolean): boolean {
  if (firstPerson.test(sentence)) return true;
  const pattern = retractions.find((each) => each.test(sentence)) ?? (aboutCheck ? takenBack : undefined);
  return pattern !== undefined && pattern.test(sentence) && !isDenied(sentence, pattern);
}
