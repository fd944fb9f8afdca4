import type { Cases } from "../../lib/cases/case.ts";
import type { Step } from "../../lib/cases/story.ts";

const asked: readonly Step[] = [{ user: "Add the option, with tests." }];

export default {
  silent: [
    {
      name: "tests that are there",
      nearMissOf: "tests in a follow-up",
      steps: asked,
      reply: "Added the option. The tests are in place.",
    },
    {
      name: "an error path that is done",
      nearMissOf: "an error path for later",
      steps: asked,
      reply: "Added the option. The error path is done.",
    },
    {
      name: "a word that holds a hint",
      nearMissOf: "a TODO in the code",
      steps: asked,
      reply: "Added the option to `todos.ts`.",
    },
    {
      name: "the same without a word that is a hint",
      nearMissOf: "a hint that means something else, which the judge will see",
      steps: asked,
      reply: "Added the option. It is read again after ten minutes.",
    },
    {
      name: "a session in which nobody has asked for anything",
      nearMissOf: "tests in a follow-up",
      steps: [{ says: "Hello." }],
      reply: "Added the option. I'll add the tests in a follow-up.",
    },
    { name: "a turn that ended without a reply", steps: asked, reply: "" },
  ],
  advises: [],
  enqueues: [
    {
      name: "tests in a follow-up",
      steps: asked,
      reply: "Added the option. I'll add the tests in a follow-up.",
      expect: {
        jobs: [
          {
            ruleId: "_template-judged.match",
            texts: [
              { label: "USER", text: "Add the option, with tests." },
              { label: "ASSISTANT", text: "Added the option. I'll add the tests in a follow-up." },
            ],
          },
        ],
      },
    },
    {
      name: "an error path for later",
      steps: asked,
      reply: "Added the option. The error path can be done later.",
    },
    {
      name: "a TODO in the code",
      steps: asked,
      reply: "Added the option; there is a TODO for the second case.",
    },
    {
      name: "a hint that means something else, which the judge will see",
      steps: asked,
      reply: "Added the option. It is read again ten minutes later.",
    },
  ],
} satisfies Cases;
