import * as z from "zod";
import { job } from "./job.ts";
import { settings } from "./settings.ts";
import { verdict } from "./verdict.ts";

/**
 * The JSON Schemas (draft 2020-12) to check in beside this file, by file name.
 * They describe what may stand in a file, so a key with a default is optional and unknown keys are allowed.
 */
export function getJsonSchemas(): Record<string, object> {
  return {
    "job.v1.schema.json": getJsonSchema(job, "job", "catstack job", "A question or a finding for `catstack watch`."),
    "verdict.v1.schema.json": getJsonSchema(verdict, "verdict", "catstack verdict", "What became of a job."),
    "settings.v1.schema.json": getJsonSchema(
      settings,
      "settings",
      "catstack settings",
      "~/.config/catstack/config.json, plain JSON without comments. Every key is optional.",
    ),
  };
}

function getJsonSchema(schema: z.ZodType, name: string, title: string, description: string): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input", target: "draft-2020-12" });
  return { $schema, $id: `urn:catstack:${name}:v1`, title, description, ...rest };
}
