import type { Case, Cases, ExpectedJob } from "../../lib/cases/case.ts";
import { innocent, pairs } from "./replies.ts";

/** The session that every case ends. */
const session = { steps: [{ user: "Add the option." }], cwd: "/home/user/project" };
const PLAIN = "unverified-tag-check.plain";
const TAG = "unverified-tag-check.tag";

const tagA = "{{CAT-UNVERIFIED: the option is read at start -- cannot verify: the server needs a license}}";
const tagB = "{{CAT-UNVERIFIED: the option is kept on reload -- cannot verify: no browser here}}";

function asks(claim: string, reason: string, ruleId = TAG): ExpectedJob {
  return {
    ruleId,
    texts: [{ label: "CLAIM", text: claim }, { label: "REASON", text: reason }, { label: "PARAGRAPH" }],
  };
}

/** Asks about one tag with this body. */
function tagCase(name: string, body: string, claim: string, reason: string): Case {
  return {
    name,
    ...session,
    reply: `Done. {{CAT-UNVERIFIED: ${body}}}`,
    expect: { jobs: [asks(claim, reason)] },
  };
}

const forms: readonly Case[] = [
  tagCase(
    "two hyphens part claim and reason",
    "the page loads -- cannot verify: no browser",
    "the page loads",
    "no browser",
  ),
  tagCase("an en dash does", "the page loads – cannot verify: no browser", "the page loads", "no browser"),
  tagCase("an em dash does", "the page loads — cannot verify: no browser", "the page loads", "no browser"),
  tagCase("a comma and no dash do", "the page loads, cannot verify: no browser", "the page loads", "no browser"),
  tagCase("capitals do not matter", "the page loads -- Cannot Verify: no browser", "the page loads", "no browser"),
  tagCase(
    "dashes and colons around a claim are no part of it",
    "-- the page loads: -- cannot verify: no browser",
    "the page loads",
    "no browser",
  ),
  tagCase(
    "a tag may go over several lines",
    "the page\n  loads --\n  cannot verify:\n  no browser",
    "the page loads",
    "no browser",
  ),
  tagCase(
    "inline code in a tag belongs to it",
    "`load()` returns -- cannot verify: `curl` is missing",
    "`load()` returns",
    "`curl` is missing",
  ),
  tagCase(
    'the first "cannot verify:" parts',
    "it loads -- cannot verify: it says cannot verify: 5",
    "it loads",
    "it says cannot verify: 5",
  ),
];

export default {
  silent: [
    ...pairs.map(({ reply, nearMiss }): Case => ({
      name: `asks nothing of: ${nearMiss}`,
      ...session,
      reply: nearMiss,
      nearMissOf: `asks about: ${reply}`,
    })),
    ...innocent.map((reply): Case => ({ name: `is silent on: ${reply.slice(0, 80)}`, ...session, reply })),
    {
      name: 'a tag without "cannot verify:"',
      ...session,
      reply: "{{CAT-UNVERIFIED: the page loads -- no browser}}",
      nearMissOf: ["two hyphens part claim and reason", "an en dash does", "an em dash does", "a comma and no dash do"],
    },
    {
      name: "a tag without a claim",
      ...session,
      reply: "{{CAT-UNVERIFIED: -- cannot verify: no browser}} {{CAT-UNVERIFIED: cannot verify: no browser}}",
      nearMissOf: ["dashes and colons around a claim are no part of it", 'the first "cannot verify:" parts'],
    },
    {
      name: "a tag without a reason",
      ...session,
      reply:
        "{{CAT-UNVERIFIED: the page loads -- cannot verify: }} {{CAT-UNVERIFIED: the page loads -- cannot verify: --}}",
      nearMissOf: "capitals do not matter",
    },
    {
      name: "a tag that is not closed, or has a brace in it",
      ...session,
      reply:
        "{{CAT-UNVERIFIED: the page loads -- cannot verify: no browser\n\n{{CAT-UNVERIFIED: a } b -- cannot verify: no browser}}",
      nearMissOf: "a tag may go over several lines",
    },
    {
      name: "a tag in inline code",
      ...session,
      reply:
        "Mark it as `{{CAT-UNVERIFIED: load() returns -- cannot verify: curl is missing}}`, in ``{{CAT-UNVERIFIED: `a` b -- cannot verify: c}}`` too.",
      nearMissOf: "inline code in a tag belongs to it",
    },
    {
      name: "a tag in a fenced block",
      ...session,
      reply: `Such as:\n\n\`\`\`md\n${tagA}\n\`\`\`\n\n~~~\n${tagB}\n\`\`\`\n~~~\n`,
      nearMissOf: ["a tag behind a fence that nobody closes is meant", "a tag behind a closed block is meant"],
    },
    {
      name: "a template of a tag",
      ...session,
      reply: "{{CAT-UNVERIFIED: <claim> -- cannot verify: <reason>}}",
      nearMissOf: "two tags are two questions",
    },
    {
      name: "a tag of a few signs",
      ...session,
      reply: "{{CAT-UNVERIFIED: ??? -- cannot verify: …}}",
      nearMissOf: "the fourth tag is not asked about",
    },
    {
      name: "a session of which no folder is known",
      steps: session.steps,
      reply: tagA,
      nearMissOf: [
        "the question goes to an investigator in the session's folder",
        "letter case and marks make no other claim",
        "plain words that repeat a tag are one question with it",
        "plain words in one sentence with a tag are one question with it",
        "tags come before plain words",
        "Codex's replies are read alike",
        "what the agent is told names the start of a long claim",
        "known limit: what a program does passes for an admission where the reason is of the agent's surroundings",
      ],
    },
    {
      name: "a session whose folder is told without its root",
      steps: session.steps,
      cwd: "project",
      reply: tagA,
      nearMissOf: [
        "the question goes to an investigator in the session's folder",
        "letter case and marks make no other claim",
        "plain words that repeat a tag are one question with it",
        "plain words in one sentence with a tag are one question with it",
        "tags come before plain words",
        "Codex's replies are read alike",
        "what the agent is told names the start of a long claim",
        "known limit: what a program does passes for an admission where the reason is of the agent's surroundings",
      ],
    },
  ],
  advises: [],
  enqueues: [
    ...pairs.map(({ reply, claim, reason }): Case => ({
      name: `asks about: ${reply}`,
      ...session,
      reply,
      expect: { jobs: [asks(claim, reason, PLAIN)] },
    })),
    ...forms,
    {
      name: "two tags are two questions",
      ...session,
      reply: `Done.\n\n${tagA}\n${tagB}`,
      expect: {
        jobs: [
          asks("the option is read at start", "the server needs a license"),
          asks("the option is kept on reload", "no browser here"),
        ],
      },
    },
    {
      name: "the fourth tag is not asked about",
      ...session,
      reply: [1, 2, 3, 4].map((n) => `{{CAT-UNVERIFIED: part ${n} works -- cannot verify: no browser}}`).join(" "),
      expect: { jobs: [1, 2, 3].map((n) => asks(`part ${n} works`, "no browser")) },
    },
    {
      name: "the question goes to an investigator in the session's folder",
      steps: session.steps,
      reply: tagA,
      cwd: "/home/user/other",
      expect: {
        jobs: [
          {
            ruleId: TAG,
            mode: "investigate",
            timeoutSeconds: 300,
            cwd: "/home/user/other",
            once: { key: "the option is read at start", ttlSeconds: 7200 },
            onHit: 'Checker\'s finding on "the option is read at start", which the reply said it could not verify.',
          },
        ],
      },
    },
    {
      name: "letter case and marks make no other claim",
      ...session,
      reply:
        "{{CAT-UNVERIFIED: Die *Prüfung* läuft! -- cannot verify: no network}} {{CAT-UNVERIFIED: die PRÜFUNG  läuft -- cannot verify: no key}}",
      expect: { jobs: [{ ruleId: TAG, once: { key: "die prüfung läuft" } }] },
    },
    {
      name: "plain words that repeat a tag are one question with it",
      ...session,
      reply: `I could not verify that the option is read at start because the server needs a license. The option is untested: no browser here.\n\n${tagA}`,
      expect: { jobs: [asks("the option is read at start", "the server needs a license")] },
    },
    {
      name: "plain words in one sentence with a tag are one question with it",
      ...session,
      reply: `It is fast. I could not verify this because there is no license ${tagA}`,
      expect: { jobs: [asks("the option is read at start", "the server needs a license")] },
    },
    {
      name: "tags come before plain words",
      ...session,
      reply: `I couldn't run the tests (no network). I couldn't build the docs because the theme is missing.\n\n${tagA}\n${tagB}`,
      expect: {
        jobs: [
          asks("the option is read at start", "the server needs a license"),
          asks("the option is kept on reload", "no browser here"),
          asks("the tests", "no network", PLAIN),
        ],
      },
    },
    {
      name: "a tag behind a fence that nobody closes is meant",
      ...session,
      reply: `\`\`\`sh\nnpm start\n\n${tagA}`,
      expect: { jobs: [asks("the option is read at start", "the server needs a license")] },
    },
    {
      name: "a tag behind a closed block is meant",
      ...session,
      reply: `\`\`\`sh\necho '{{CAT-UNVERIFIED: x'\n\`\`\`\n${tagA}`,
      expect: { jobs: [asks("the option is read at start", "the server needs a license")] },
    },
    {
      name: "Codex's replies are read alike",
      ...session,
      reply: tagA,
      harness: "codex",
      expect: { jobs: [{ ruleId: TAG }] },
    },
    {
      name: "what the agent is told names the start of a long claim",
      ...session,
      reply: `{{CAT-UNVERIFIED: ${"a word ".repeat(300)}-- cannot verify: no browser}}`,
      expect: {
        jobs: [
          {
            ruleId: TAG,
            onHit: `Checker's finding on "${"a word ".repeat(17)}a", which the reply said it could not verify.`,
          },
        ],
      },
    },
    {
      name: "known limit: what a program does passes for an admission where the reason is of the agent's surroundings",
      ...session,
      reply: "The upload was not validated because the validator isn't installed in production.",
      expect: { jobs: [asks("The upload", "the validator isn't installed in production", PLAIN)] },
    },
  ],
} satisfies Cases;
