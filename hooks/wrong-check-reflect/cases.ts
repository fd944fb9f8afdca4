import type { Case, Cases } from "../../lib/cases/case.ts";
import type { Step } from "../../lib/cases/story.ts";
import { getTextKey } from "../../lib/text-key.ts";
import { keeping, takingBack } from "./replies.ts";

const ruleId = "wrong-check-reflect.match";
const onHit =
  "A reply of this session takes back something that was said earlier in it. Such a correction is easiest to follow where the old value is named as wrong beside the new one, with what had left the first unchecked.";
const question = "Are you sure?";
const reply = "My earlier count was wrong: the migration touches 14 tables.";

/** The judge reads the first 3,900 characters of it: the end of it does not hold the admission. */
const longReply = `${reply}\n\n${"The rest is as it was. ".repeat(400)}`;

const session: readonly Step[] = [
  { user: "How many tables does the migration touch?" },
  { says: "It touches 9 tables." },
  { user: question },
];
const asks = { advice: [], jobs: [{ ruleId }] };

function enqueues(name: string, steps: readonly Step[], text = reply): Case {
  return { name, steps, reply: text, expect: asks };
}

function prompt(text: string, more: object): Step {
  return {
    raw: { type: "user", message: { role: "user", content: text }, timestamp: "2026-01-01T01:00:00.000Z", ...more },
  };
}

const reflectRow = "<command-message>reflect</command-message>\n<command-name>/reflect</command-name>";
const invoked = "a person who has asked for it in this turn";

export default {
  silent: [
    {
      name: invoked,
      steps: [...session, { invoked: "reflect" }],
      reply,
      nearMissOf: "defect 28: a prompt that only names the command",
    },
    {
      name: "the command with words behind it, and work after it",
      steps: [
        { invoked: "reflect", args: "on the count" },
        { says: "Looking." },
        { ran: "grep -c table a.sql", output: "14" },
      ],
      reply,
      nearMissOf: ["the command in an earlier turn", "the command in what a tool shows"],
    },
    {
      name: "a command of an automation in this turn",
      steps: [...session, { invoked: "automate-me" }],
      reply,
      nearMissOf: "a command of another name",
    },
    {
      name: "the skill in this turn",
      steps: [...session, { invoked: "flag-your-own-corrections" }],
      reply,
      nearMissOf: "a command of another name",
    },
    {
      name: "the skill under the name of its plugin",
      steps: [...session, { invoked: "catstack:flag-your-own-corrections" }],
      reply,
      nearMissOf: "a command of another name",
    },
    {
      name: "two commands in one line, the second of them reflect",
      steps: [...session, prompt(reflectRow.replaceAll("reflect", "compact"), {}), prompt(reflectRow, {})],
      reply,
      nearMissOf: ["a command of another name", "the command in text of the client"],
    },
    {
      name: "a row of a sub-agent behind the command hides nothing",
      steps: [{ invoked: "reflect" }, prompt("Count the tables.", { isSidechain: true })],
      reply,
      nearMissOf: "the command in a row of a sub-agent",
    },
    {
      name: "a session whose check passed and fails now, with a reply that takes nothing back",
      steps: [
        { user: "Add the option." },
        { ran: "npm test", output: "3 passed" },
        { says: "Added; the tests pass." },
        { user: "Rename it." },
        { ran: "npm test", output: "1 failed, 2 passed", exitCode: 1 },
      ],
      reply: "Renamed. Everything is in place.",
      nearMissOf: "the earlier status of a check taken back",
    },
    {
      name: "defect 20: everyday sentences with words of wrongness",
      steps: session,
      reply:
        "I read the config: the default is false. I set enabled to false before running the check. The parser returned the wrong number, so I fixed it.",
      nearMissOf: "defect 21: a supposition or another's fault beside an own one",
    },
    {
      name: "defect 22: a quotation between inch marks",
      steps: session,
      reply: 'The 5" panel shows "a claim I made earlier was wrong", and the 6" one shows nothing.',
      nearMissOf: "defect 22: inch marks around an admission",
    },
    {
      name: "defect 23: the word in the prompt and nothing taken back",
      steps: [{ user: "Make the UI reflect the new state." }],
      reply: "The list shows the new state.",
      nearMissOf: "defect 23: the word reflect in a prompt",
    },
    {
      name: "a long reply that takes nothing back",
      steps: session,
      reply: "The migration touches 14 tables. ".repeat(400),
      nearMissOf: "a long reply: the judge reads what stands around the admission",
    },
    {
      name: "defect 24: the reply before the correction",
      steps: session,
      reply: "It touches 9 tables.",
      nearMissOf: "the question, its texts and its key",
    },
    ...Object.entries(keeping).map(([name, [text, ...nearMissOf]]) => ({
      name,
      steps: session,
      reply: text,
      nearMissOf,
    })),
  ],
  advises: [],
  enqueues: [
    {
      name: "the question, its texts and its key",
      steps: session,
      reply,
      expect: {
        advice: [],
        jobs: [
          {
            ruleId,
            onHit,
            once: { key: getTextKey(reply) },
            texts: [
              { label: "USER", text: question },
              { label: "ASSISTANT", text: reply },
            ],
          },
        ],
      },
    },
    enqueues("the command in an earlier turn", [{ invoked: "reflect" }, { says: "Done." }, { user: question }]),
    enqueues("defect 28: a prompt that only names the command", [{ user: "Then run /reflect on it, please." }]),
    enqueues("defect 23: the word reflect in a prompt", [{ user: "Make the UI reflect the new state." }]),
    enqueues("a command of another name", [...session, { invoked: "reflections" }]),
    enqueues("the command in what a tool shows", [...session, { tool: "Read", output: reflectRow }]),
    enqueues("the command in text of the client", [
      ...session,
      prompt(`Stop hook feedback: ${reflectRow}`, {}),
      prompt(reflectRow, { isMeta: true }),
    ]),
    enqueues("the command in a row of a sub-agent", [...session, prompt(reflectRow, { isSidechain: true })]),
    enqueues(
      "the earlier status of a check taken back",
      [{ user: "Rename it." }, { ran: "npm test", output: "1 failed, 2 passed", exitCode: 1 }],
      "My earlier status was wrong: I told you that the tests pass, and one fails.",
    ),
    enqueues(
      "defect 21: a supposition or another's fault beside an own one",
      session,
      "If the cache is cold, it fails. The test was wrong, and my earlier claim about it was wrong too.",
    ),
    enqueues(
      "defect 22: inch marks around an admission",
      session,
      'The 5" panel: a claim I made earlier was wrong, it is 6" wide.',
    ),
    {
      name: "a long reply: the judge reads what stands around the admission",
      steps: session,
      reply: longReply,
      expect: {
        advice: [],
        jobs: [
          {
            ruleId,
            texts: [
              { label: "USER", text: question },
              { label: "ASSISTANT", text: longReply.slice(0, 3900) },
            ],
          },
        ],
      },
    },
    ...Object.entries(takingBack).map(([name, text]) => enqueues(name, session, text)),
  ],
} satisfies Cases;
