import * as z from "zod";

// As in inbox-schema/: the message of a check is what it expects, a phrase that completes "expected `key` to be ...".

const words = z.string("a text that is not empty").min(1, "a text that is not empty");

const lines = z
  .union([z.string(), z.array(z.string())], "a text or a list of lines")
  .transform((text) => (typeof text === "string" ? text : text.join("\n")));

const status = z.int("an exit status from 0 to 255").min(0, "0 or more").max(255, "255 or less");

const anything = z.record(z.string(), z.unknown(), "an object");

/** An object that has no other keys: a wrong one would be an expectation that nobody looks at. */
function strict<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: ({ code }) => (code === "unrecognized_keys" ? `left out, as the keys here are ${known}` : "an object"),
  });
}

const command = {
  cmd: words,
  output: lines.default(""),
  exit: z
    .union([status, z.enum(["refused", "interrupted", "none"])], 'a status or "refused", "interrupted", "none"')
    .default(0),
};

const steps = {
  cmd: strict(command),
  background: strict({ cmd: words, background: words }),
  parallel: strict({ parallel: z.array(strict(command), "a list of commands").min(2, "at least two commands") }),
  ends: strict({ ends: words, exit: status.default(0), output: lines.default("") }),
  edit: strict({ edit: words }),
  tool: strict({ tool: words, input: anything.default({}), output: lines.default("") }),
  says: strict({ says: lines }),
  in: strict({ in: z.string("an absolute folder").startsWith("/", "an absolute folder") }),
  compaction: strict({ compaction: z.literal(true, "true") }),
  row: strict({ row: anything }),
};

type Steps = { readonly [Kind in keyof typeof steps]: z.infer<(typeof steps)[Kind]> };
/** What the agent does, or the client, in the order in which it happens. */
export type StoryStep = Steps[keyof Steps];
export type CommandStep = Steps["parallel"]["parallel"][number];

const kinds = Object.keys(steps).join(", ");

/** The kind is told by its key, so that a complaint speaks of that kind alone. */
const step = anything.transform((value, context): StoryStep => {
  const given = Object.entries(steps).filter(([kind]) => Object.hasOwn(value, kind));
  const found = Object.hasOwn(value, "background") ? given.filter(([kind]) => kind !== "cmd") : given;
  const [entry] = found;
  if (entry === undefined || found.length > 1) {
    context.addIssue({ code: "custom", message: `an object with exactly one of the keys ${kinds}` });
    return z.NEVER;
  }
  const parsed = entry[1].safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    context.addIssue({ code: "custom", path: getPlace(issue), message: issue.message });
  }
  return z.NEVER;
});

const hookIds = z.array(words, "a list of hook ids");

function byHook<Item extends z.ZodType>(item: Item, what: string) {
  return z.record(z.string(), z.array(item, what), `an object of hook ids, each with ${what}`);
}

const expectation = strict({
  fires: byHook(words, "a list of texts").optional(),
  silent: hookIds.optional(),
  enqueues: byHook(
    strict({
      rule: words.optional(),
      mode: z.enum(["default", "investigate"], '"default" or "investigate"').optional(),
      prompt: z.array(words, "a list of texts").optional(),
    }),
    "a list of jobs",
  ).optional(),
  does_not_enqueue: hookIds.optional(),
  observes: hookIds.optional(),
  skills: z.array(words, "a list of skills").optional(),
  delivered: z.array(words, "a list of texts").optional(),
  told: z.array(words, "a list of texts").optional(),
});

/** A slash command that the person really invokes; as a text it is prose that names one. */
const invocation = strict({ invoked: words, args: lines.optional() });

const answer = strict({
  about: words.optional(),
  answer: z.union(
    [anything, z.string(), z.null()],
    "an object, a text as it is printed, or null for a model that fails",
  ),
});

const turn = strict({
  session: words.default("the session"),
  minutes_later: z.number("a number of minutes").positive("more than 0").optional(),
  resumed: z.literal(true, "true").optional(),
  user: z
    .union([z.string(), z.array(z.string()), invocation], "a text, a list of lines or { invoked, args }")
    .transform((user) => (Array.isArray(user) ? user.join("\n") : user)),
  ran: z.array(step, "a list of steps").default([]),
  reply: lines,
  payload: anything.default({}),
  answers: byHook(answer, "a list of answers").default({}),
  judge: z.literal("away", '"away"').optional(),
  expect: expectation.optional(),
});

/** The content of a file of stories, of which each is checked on its own by `story`. */
export const story = strict({
  name: words,
  situation: lines.optional(),
  client: z.enum(["claude", "codex"], '"claude" or "codex"').optional(),
  env: z.record(z.string(), z.string("a text"), "an object of variables").default({}),
  turns: z.array(turn, "a list of turns").min(1, "at least one turn"),
});

/** A session, or several at once, told turn by turn. */
export type Story = z.infer<typeof story>;
export type Turn = z.infer<typeof turn>;
export type Invocation = z.infer<typeof invocation>;
export type Expectations = z.infer<typeof expectation>;
export type Client = NonNullable<Story["client"]>;

/** Where a complaint points to: at the key itself where it is one too many. */
export function getPlace(issue: z.core.$ZodIssue): PropertyKey[] {
  return issue.code === "unrecognized_keys" ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
}
