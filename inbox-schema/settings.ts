import * as z from "zod";

const name = "a string that is not empty";
const argv = "an array of one or more strings, the program first";
const pair = "a pair [name, [argv...]]";
const runnerList = "an array of one or more pairs [name, [argv...]]";
const upTo16 = "a whole number from 1 to 16";
const upToMillion = "a whole number from 0 to 1000000";
const aShare = "a number above 0 and at most 1";

const cap = z.int(upToMillion).min(0, upToMillion).max(1_000_000, upToMillion);

/** `[name, [argv...]]`; an item equal to `{prompt}` becomes the prompt. */
export const runnerEntry = z.tuple(
  [z.string(name).min(1, name), z.array(z.string("a string"), argv).min(1, argv)],
  pair,
);

const runners = z.array(runnerEntry, runnerList).min(1, runnerList).optional();

const hookSettings = z.looseObject(
  {
    mode: z
      .enum(["off", "observe", "advise"], '"off", "observe" or "advise"')
      .optional()
      .describe("off: not run. observe: counts what it would have said, says and asks nothing. advise: speaks."),
  },
  "an object",
);

const judgeSettings = z.looseObject(
  {
    concurrency: z
      .int(upTo16)
      .min(1, upTo16)
      .max(16, upTo16)
      .optional()
      .describe(
        "Jobs that run at the same time. One place is never given to investigate; with 1, investigate waits until no default job does. Default 2.",
      ),
    jobs_per_hour: cap.optional().describe("Jobs that ask a model, at most, in any hour. Default 60."),
    jobs_per_day: cap.optional().describe("Jobs that ask a model, at most, in any 24 hours. Default 400."),
    hook_share: z
      .number(aShare)
      .positive(aShare)
      .max(1, aShare)
      .optional()
      .describe("The part of both caps, rounded up, that the jobs of one hook may use. 1: all of it. Default 0.75."),
    max_waiting: cap
      .optional()
      .describe(
        "Jobs that wait to ask a model, at most: the oldest of more are answered with unchecked. 0: no limit. Default 1000.",
      ),
    trip_per_minute: cap
      .optional()
      .describe(
        "When more jobs than this that ask a model come within a minute, none is asked until there were fewer for 15 minutes. 0: never. Default 120.",
      ),
    runners: z
      .looseObject(
        {
          default: runners.describe("Replaces the runners of default jobs."),
          investigate: runners.describe("Replaces the runners of investigate jobs. They must not be able to write."),
        },
        "an object",
      )
      .optional()
      .describe('Runner sets by mode, each a list of [name, [argv...]]; an item "{prompt}" becomes the prompt.'),
  },
  "an object",
);

/** `~/.config/catstack/config.json`. Every key is optional; unknown keys are ignored. */
export const settings = z.looseObject({
  $schema: z.string("a string").optional().describe("Path or address of this schema, for editors."),
  hooks: z
    .record(z.string(), hookSettings, "an object of hook ids")
    .optional()
    .describe("Settings of single hooks, by hook id."),
  judge: judgeSettings.optional().describe("Settings of `catstack watch`."),
});

/** The names that each part of the file has. */
export const settingsKeys = {
  file: Object.keys(settings.shape),
  hook: Object.keys(hookSettings.shape),
  judge: Object.keys(judgeSettings.shape),
  runners: Object.keys(judgeSettings.shape.runners.unwrap().shape),
} as const;

export type Settings = z.output<typeof settings>;
export type RunnerEntry = z.output<typeof runnerEntry>;
