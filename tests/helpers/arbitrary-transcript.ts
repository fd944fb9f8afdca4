import * as fc from "fast-check";
import type { Step } from "../../lib/cases/story.ts";

/** Texts that look like parts of a transcript, as a session about transcripts would quote them. */
const text = fc.oneof(
  fc.constantFrom(
    "ok",
    "1 failed",
    "Done.",
    '{"type":"tool_use","name":"Bash"}',
    '"tool_result"',
    'what is a "tool_result',
    '"user" and "assistant" and "text"',
    "<task-notification><task-id>task_0001</task-id><status>completed</status></task-notification>",
    "toolu_0001",
    "<command-message>reflect</command-message>\n<command-name>/reflect</command-name>",
    "Exit code 3\nno",
    "line\nline\r\n\u2028end",
    "😀 größer 中文",
    "\ud83d",
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
);

const command = fc.constantFrom("check a", "check b", "check a; check c", "ls", 'echo "check a"', "npm run x");
const exitCode = fc.constantFrom(0, 1, 127);

const ran = fc.record(
  {
    ran: command,
    output: text,
    exitCode,
    isError: fc.boolean(),
    background: fc.boolean(),
    noResult: fc.constant(true as const),
  },
  { requiredKeys: ["ran"] },
);
const parallel = fc.record({ ran: command, output: text, exitCode }, { requiredKeys: ["ran"] });

const vocabulary = [
  "type",
  "message",
  "role",
  "content",
  "user",
  "assistant",
  "system",
  "attachment",
  "tool_use",
  "tool_result",
  "text",
  "tool_use_id",
  "id",
  "toolu_0001",
  "toolu_0002",
  "name",
  "Bash",
  "input",
  "command",
  "check a",
  "is_error",
  "toolUseResult",
  "queued_command",
  "commandMode",
  "prompt",
  "task-notification",
  "isSidechain",
  "uuid",
  "timestamp",
  "queue-operation",
  "operation",
  "enqueue",
];

/** Objects out of the words that transcripts use. */
const anyObject = fc.dictionary(
  fc.constantFrom(...vocabulary),
  fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom<unknown>(...vocabulary, true, false, null, 3),
      text,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...vocabulary), tie("value"), { maxKeys: 5 }),
    ),
  })).value,
  { maxKeys: 6 },
);

const optional = { requiredKeys: [] };
const callId = fc.constantFrom("toolu_0001", "toolu_0002", "c1");

const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text }, { requiredKeys: ["type"] }),
  fc.record(
    {
      type: fc.constant("tool_use"),
      id: callId,
      name: fc.constantFrom("Bash", "Read"),
      input: fc.record({ command, run_in_background: fc.boolean() }, optional),
    },
    { requiredKeys: ["type", "id"] },
  ),
  fc.record(
    {
      type: fc.constant("tool_result"),
      content: fc.oneof(text, fc.array(anyObject, { maxLength: 2 })),
      is_error: fc.boolean(),
      tool_use_id: callId,
    },
    { requiredKeys: ["type", "tool_use_id"] },
  ),
  anyObject,
);

/** Rows of nearly the right make: parts are missing, or stand where they should not. */
const nearRow = fc.record(
  {
    toolUseResult: fc.oneof(text, fc.record({ backgroundTaskId: text, interrupted: fc.boolean() }, optional)),
    type: fc.constantFrom("user", "assistant", "attachment", "system", "queue-operation", "progress"),
    message: fc.record(
      { role: fc.constantFrom("user", "assistant"), content: fc.oneof(text, fc.array(block, { maxLength: 3 })) },
      { requiredKeys: ["content"] },
    ),
    attachment: fc.record(
      {
        type: fc.constant("queued_command"),
        commandMode: fc.constantFrom("prompt", "task-notification"),
        prompt: text,
      },
      optional,
    ),
    operation: fc.constant("enqueue"),
    content: text,
    isSidechain: fc.boolean(),
  },
  { requiredKeys: ["type", "message"] },
);

/** A row of any make, most of them close to what the client writes. */
export const anyRow: fc.Arbitrary<object> = fc.oneof({ arbitrary: nearRow, weight: 3 }, anyObject);

/** A whole session as steps, oddities included. */
export const storySteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { arbitrary: ran, weight: 4 },
    fc.record({ user: text }),
    fc.record({ says: text }),
    fc.record({ parallel: fc.array(parallel, { minLength: 1, maxLength: 3 }) }),
    fc.record({ tool: fc.constantFrom("Read", "Edit", "Task"), output: text }),
    fc.record({ raw: anyRow }),
  ),
  { maxLength: 25 },
);
