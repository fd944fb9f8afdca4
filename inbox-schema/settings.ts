import { z } from "zod";

/** `[name, [argv...]]`; an item equal to `{prompt}` becomes the prompt. */
export const runnerEntry = z.tuple([z.string().min(1), z.array(z.string()).min(1)]);

/** `~/.config/catstack/config.json`. Every key is optional. */
export const settings = z.looseObject({
  $schema: z.string().optional(),
  hooks: z.record(z.string(), z.looseObject({ mode: z.enum(["off", "observe", "advise"]).optional() })).optional(),
  judge: z
    .looseObject({
      /** Jobs that run at the same time. */
      concurrency: z.int().min(1).max(16).optional(),
      /** Jobs that ask a model, at most, in any hour. */
      jobs_per_hour: z.int().min(0).optional(),
      /** Jobs that ask a model, at most, in any 24 hours. */
      jobs_per_day: z.int().min(0).optional(),
      runners: z
        .looseObject({ default: z.array(runnerEntry).min(1).optional(), investigate: z.array(runnerEntry).min(1).optional() })
        .optional(),
    })
    .optional(),
});

export type Settings = z.output<typeof settings>;
export type RunnerEntry = z.output<typeof runnerEntry>;
