import { testHooks } from "../../cli/backtest.ts";
import { defineHook } from "../../lib/hook.ts";

/** A hook that asks about every reply that says "surely", once for each such reply. */
export const surely = defineHook({
  id: "surely",
  description: "Reports replies that are too sure.",
  events: ["Stop"],
  defaultMode: "observe",
  messages: {},
  check: ({ reply }) => ({
    advice: [],
    jobs: reply.includes("surely")
      ? [
          {
            ruleId: "surely.asked",
            onHit: "You were too sure.",
            hitIfAllTrue: ["sure"],
            instruction: 'Is it too sure? Answer in one line of JSON: {"sure": true or false}.',
            texts: [{ label: "Reply", text: reply }],
            once: { key: reply },
          },
        ]
      : [],
  }),
});

/** As a process of its own: `catstack backtest` with that hook alone. */
if (process.argv[1] === import.meta.filename) {
  process.exitCode = await testHooks(
    process.argv.slice(2),
    {
      env: process.env,
      stdin: process.stdin,
      now: () => new Date(),
      out: (line) => void process.stdout.write(`${line}\n`),
      err: (line) => void process.stderr.write(`${line}\n`),
      color: false,
      cwd: process.cwd(),
    },
    [surely],
  );
}
