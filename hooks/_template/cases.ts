import type { Cases } from "../../lib/cases/case.ts";
import type { RanStep } from "../../lib/cases/story.ts";

const passes: RanStep = { ran: "npm test", output: "Tests:       3 passed, 3 total" };
const fails: RanStep = { ran: "npm test", output: "Tests:       1 failed, 2 passed, 3 total", exitCode: 1 };
const lintFails: RanStep = { ran: "npm run lint", exitCode: 1 };

export default {
  silent: [
    {
      name: "a check that failed and passes now",
      nearMissOf: "a check that passed and fails now",
      steps: [{ user: "Rename the option." }, fails, passes],
      reply: "Renamed.",
    },
    {
      name: "a failure that the reply names",
      nearMissOf: "a check that has only ever failed",
      steps: [{ user: "Rename the option." }, fails],
      reply: "Renamed. `npm test` needs the new name as well.",
    },
    {
      name: "two failures that the reply names",
      nearMissOf: "two failures of which the reply names one",
      steps: [{ user: "Rename the option." }, fails, lintFails],
      reply: "Renamed. Still red: npm test, npm run lint.",
    },
    { name: "a turn that ended without a reply", steps: [{ user: "Rename the option." }, fails], reply: "" },
    { name: "a session without commands", steps: [{ user: "Hello." }], reply: "Hello." },
  ],
  advises: [
    {
      name: "a check that passed and fails now",
      steps: [{ user: "Rename the option." }, passes, fails],
      reply: "Renamed.",
      expect: {
        advice: [{ messageId: "unnamed", data: { target: "npm test", turn: "1" } }],
      },
    },
    {
      name: "a check that has only ever failed",
      steps: [{ user: "Rename the option." }, fails],
      reply: "Renamed.",
    },
    {
      name: "two failures of which the reply names one",
      steps: [{ user: "Rename the option." }, fails, lintFails],
      reply: "Renamed. `npm test` needs the new name as well.",
      expect: { advice: [{ messageId: "unnamed", data: { target: "npm run lint" } }] },
    },
  ],
  enqueues: [],
} satisfies Cases;
