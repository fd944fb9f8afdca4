import type { Case, Cases, ExpectedJob } from "../../lib/cases/case.ts";
import type { Step } from "../../lib/cases/story.ts";
import { getTextKey } from "../../lib/text-key.ts";

const length = "diu-stop.length";
const jargon = "diu-stop.jargon";
const question = "How long does the cache keep a page?";

/** Ten words. */
const sentence = "The cache now keeps each page until its file changes.";

/** So many words, a multiple of ten. */
function write(words: number): string {
  return Array.from({ length: words / 10 }, () => sentence).join(" ");
}

function ask(user: string): readonly Step[] {
  return [{ user }];
}

function fires(name: string, ruleId: string, user: string, reply: string, job: Omit<ExpectedJob, "ruleId"> = {}): Case {
  return { name, steps: ask(user), reply, expect: { jobs: [{ ruleId, ...job }] } };
}

function silent(name: string, user: string, reply: string, ...nearMissOf: string[]): Case {
  return { name, steps: ask(user), reply, ...(nearMissOf.length === 0 ? {} : { nearMissOf }) };
}

const fence = "```";
const code = `${fence}ts\n${write(100)}\n${fence}`;
const table = [
  "| file | what it does |",
  "| --- | --- |",
  ...Array.from({ length: 10 }, () => `| a.ts | ${sentence} |`),
].join("\n");
const box = ["┌──────┐", ...Array.from({ length: 10 }, () => `│ ${sentence} │`), "└──────┘"].join("\n");
const quotation = Array.from({ length: 10 }, () => `> ${sentence}`).join("\n");
const item = `- First:\n\n    ${sentence}`;

export default {
  advises: [],
  enqueues: [
    {
      name: "151 words for a short question",
      steps: ask(question),
      reply: `${write(150)} Done.`,
      expect: {
        jobs: [
          {
            ruleId: length,
            onHit:
              "The last reply has about 150 words outside code, tables and quotations, which is more than the message it answers calls for.",
            once: { key: `${length}:${getTextKey(`${write(150)} Done.`)}` },
            texts: [
              { label: "USER", text: question },
              { label: "ASSISTANT", text: `${write(150)} Done.` },
            ],
          },
        ],
      },
    },
    fires(
      "151 words around code, a table and a quotation",
      length,
      question,
      [write(150), code, table, quotation, "Done."].join("\n\n"),
      {
        texts: [{ label: "USER" }, { label: "ASSISTANT", text: `${write(150)}\n\nDone.` }],
      },
    ),
    fires("150 words and a code span", length, question, `${write(150)} \`npm run build\``),
    fires(
      "150 words, a path and a URL",
      length,
      question,
      `${write(140)} ${"src/cache/page.ts https://example.com/a?b=c ".repeat(6)}`,
    ),
    fires("text that goes on with an item of a list", length, question, `${write(140)}\n\n${item}`),
    fires("302 Japanese characters", length, "キャッシュは?", `${"古いページは消えます。".repeat(30)}はい。`),
    fires("152 words of Thai, which has no blanks between them", length, "แคช?", "หน้าเก่าหายไป".repeat(38)),
    fires("more Thai than is looked up", length, "แคช?", "หน้าเก่าหายไป".repeat(1000), {
      onHit:
        "The last reply has about 4000 words outside code, tables and quotations, which is more than the message it answers calls for.",
    }),
    fires(
      "a long answer to one that wants detail in few words",
      length,
      "Explain in detail how it works, in three sentences.",
      write(160),
    ),
    fires("a long answer to one that wants no detail", length, "Please do not go into much detail.", write(160)),
    fires(
      "a long answer to one that wants something written that is no text",
      length,
      "Write a script that clears it.",
      write(160),
    ),
    fires("a long answer to one that wants comprehensive tests", length, "Add comprehensive tests.", write(160)),
    fires(
      "known limit: a wish for length in another language",
      length,
      "Bitte schreibe einen ausführlichen Bericht.",
      write(160),
    ),
    fires(
      "a long answer to one that names a slash command in prose",
      length,
      "Does /review use the cache?",
      write(160),
    ),
    fires("a figure of speech for what matters", jargon, question, "The second check is load-bearing.", {
      onHit: 'The last reply speaks in jargon that the message it answers does not use: "load-bearing".',
      once: { key: `${jargon}:${getTextKey("The second check is load-bearing.")}` },
    }),
    fires("slang with another ending", jargon, question, "I wired up the cache."),
    fires("slang with a hyphen that the dictionary has not", jargon, question, "That is the smoking-gun line."),
    fires("a label that the person has not used", jargon, "Is the change safe?", "Yes. Its blast radius is one page."),
    fires("slang in prose", jargon, question, "Each page has a seam between its file and its copy."),
    fires("slang in bold", jargon, question, "A **surgical** fix."),
    fires("slang that is half the name of something", jargon, question, "Most of it was plumbing."),
    fires(
      "slang in the middle of a long session's reply",
      jargon,
      question,
      `First.\n\nIt clobbers the page.\n\nLast.`,
      {
        texts: [{ label: "USER" }, { label: "ASSISTANT", text: "It clobbers the page." }],
      },
    ),
    fires(
      "five kinds of slang at once",
      jargon,
      question,
      "A janky, gnarly footgun on the happy path that can nuke the cache.",
      {
        onHit:
          'The last reply speaks in jargon that the message it answers does not use: "happy path", "footgun", "nuke", "janky" and 1 more.',
      },
    ),
    {
      name: "a reply that is long and speaks in slang",
      steps: ask(question),
      reply: `${write(150)} It is a silver bullet.`,
      expect: { jobs: [{ ruleId: length }, { ruleId: jargon }] },
    },
    {
      name: "known limit: a word that the person used before the last message",
      steps: [{ user: "What is its blast radius?" }, { says: "One page." }, { user: "And now?" }],
      reply: "The blast radius is still one page.",
      expect: { jobs: [{ ruleId: jargon }] },
    },
  ],
  silent: [
    silent("150 words for a short question", question, write(150), "151 words for a short question"),
    silent(
      "100 words and as many of code",
      question,
      `${write(100)}\n\n${code}\n\n1. So:\n   ${fence}\n${write(100)}\n   ${fence}\n`,
      "151 words around code, a table and a quotation",
    ),
    silent(
      "100 words and as many in a table",
      question,
      `${write(100)}\n\n${table}\n`,
      "151 words around code, a table and a quotation",
    ),
    silent(
      "100 words and as many in a drawn table",
      question,
      `${write(100)}\n\n${box}`,
      "151 words around code, a table and a quotation",
    ),
    silent(
      "100 words and as many quoted",
      question,
      `${write(100)}\n\n${quotation}`,
      "151 words around code, a table and a quotation",
    ),
    silent(
      "100 words and a fence that is never closed",
      question,
      `${write(100)}\n\n~~~\n${write(100)}`,
      "151 words around code, a table and a quotation",
    ),
    silent(
      "140 words and ten code spans of many words",
      question,
      `${write(140)} ${"`npm run build -- --watch` ".repeat(10)}`,
      "150 words and a code span",
    ),
    silent(
      "140 words and ten addresses",
      question,
      `${write(140)} ${"https://example.com/a-page/of-many-words.html ".repeat(10)}`,
      "150 words, a path and a URL",
    ),
    silent(
      "150 words and marks that are no words",
      question,
      `${write(150)}\n\n---\n\n- ** — 🙂 …`,
      "151 words for a short question",
    ),
    silent(
      "indented code after a paragraph",
      question,
      `${write(140)}\n\nFirst it does this:\n\n    ${write(100)}`,
      "text that goes on with an item of a list",
    ),
    silent(
      "148 words of Thai",
      "แคช?",
      "หน้าเก่าหายไป".repeat(37),
      "152 words of Thai, which has no blanks between them",
      "more Thai than is looked up",
    ),
    silent("300 Japanese characters", "キャッシュは?", "古いページは消えます。".repeat(30), "302 Japanese characters"),
    silent(
      "a long answer to one that wants detail",
      "Explain in detail how it works.",
      write(400),
      "a long answer to one that wants detail in few words",
      "a long answer to one that wants no detail",
    ),
    silent(
      "a long answer to one that wants a report",
      "Write me a report on it.",
      write(400),
      "a long answer to one that wants something written that is no text",
      "known limit: a wish for length in another language",
    ),
    silent(
      "a long answer to one that wants a comprehensive explanation",
      "I need a comprehensive explanation.",
      write(400),
      "a long answer to one that wants comprehensive tests",
    ),
    {
      name: "a long answer to a slash command",
      steps: [{ invoked: "review" }],
      reply: write(400),
      nearMissOf: [
        "a long answer to one that names a slash command in prose",
        "a reply that is long and speaks in slang",
      ],
    },
    silent(
      "a wall that bears a load",
      question,
      "As with a load-bearing wall, keep it.",
      "a figure of speech for what matters",
    ),
    silent(
      "the words of a phrase in two sentences",
      question,
      "That came down to the wire. Up next is the cache.",
      "slang with another ending",
    ),
    silent(
      "the words of a phrase the other way round",
      question,
      "The gun is smoking.",
      "slang with a hyphen that the dictionary has not",
    ),
    silent(
      "a label that the person has used",
      "What is its blast-radius?",
      "The blast radius is one page.",
      "a label that the person has not used",
      "known limit: a word that the person used before the last message",
    ),
    silent(
      "a word that the person has used with another ending",
      "Does it clobber pages?",
      "It never clobbered one.",
      "slang in the middle of a long session's reply",
    ),
    silent(
      "slang in a path, an identifier and a code span",
      question,
      "See src/seam/index.ts, find_seam, seam.ts, findSeam() and `the seam`.",
      "slang in prose",
    ),
    silent(
      "slang in a quotation and in code",
      question,
      `> A surgical fix.\n\n${fence}\nsurgical\n${fence}\n\nDone.`,
      "slang in bold",
    ),
    silent(
      "the name of something that is half slang",
      question,
      "It uses a plumbing command.",
      "slang that is half the name of something",
    ),
    silent(
      "words that look like slang",
      question,
      "It seems that the guard rails at nobody, and the edge is sharper.",
      "five kinds of slang at once",
    ),
    silent("an empty reply", question, " \n"),
    { name: "a reply to nobody", steps: [], reply: `${write(400)} It is load-bearing.` },
    silent(
      "known limit: a label of the agent's own that no dictionary has",
      question,
      "That is the two-key dance again: see gap G7.",
    ),
  ],
} satisfies Cases;
