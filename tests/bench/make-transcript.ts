import { claudeRows } from "../helpers/claude-rows.ts";
import { createRandom } from "../helpers/random.ts";
import { base64, checks, code, commands, pick, prose, type Random, words } from "./texts.ts";
import { writeRows } from "./write-rows.ts";

/**
 * Writes a session of at least `megabytes` (1,000,000 bytes each) to `path`, in the mix of long real ones: most bytes are
 * results of Read, Edit and Write, then attachments and progress rows; four of ten calls are Bash, one in ten of those
 * runs a check, hardly two commands are equal. The same seed gives the same bytes.
 */
export function writeTranscript(path: string, megabytes: number, { seed = 1 }: { seed?: number } = {}): void {
  writeRows(path, megabytes, session(seed));
}

type Rows = ReturnType<typeof claudeRows>;

/** An endless session. */
function* session(seed: number): Generator<object> {
  const random = createRandom(seed);
  const rows = claudeRows();
  for (let turn = 0; ; turn++) {
    yield rows.prompt(prose(random, 60 + 400 * random()));
    yield rows.loose("file-history-snapshot", { snapshot: { trackedFileBackups: code(random, 3000) } });
    for (let step = 0; step < 20; step++) yield* agentStep(rows, random, `${turn}_${step}`);
    yield rows.block(`msg_${turn}_end`, { type: "text", text: prose(random, 900) });
    yield rows.system("stop_hook_summary", { hookCount: 1, hookErrors: [], stopReason: "" });
  }
}

function* agentStep(rows: Rows, random: Random, id: string): Generator<object> {
  const messageId = `msg_${id}`;
  if (random() < 0.5)
    yield rows.block(messageId, { type: "thinking", thinking: prose(random, 600), signature: base64(random, 900) });
  if (random() < 0.35) yield rows.block(messageId, { type: "text", text: prose(random, 300 * random() + 20) });
  yield* toolCall(rows, random, messageId, `toolu_${id}`);
  if (random() < 0.3)
    yield rows.attachment({
      type: "hook_success",
      hookName: "PostToolUse",
      stdout: prose(random, 2000 * random()),
      exitCode: 0,
    });
  if (random() < 0.1)
    yield rows.attachment({
      type: "edited_text_file",
      filename: "/home/user/project/a.ts",
      snippet: code(random, 6000),
    });
}

function toolCall(rows: Rows, random: Random, messageId: string, callId: string): Generator<object> {
  const share = random();
  if (share < 0.4) return bashCall(rows, random, messageId, callId);
  if (share < 0.65) return readCall(rows, random, messageId, callId);
  if (share < 0.92) return editCall(rows, random, messageId, callId);
  return writeCall(rows, random, messageId, callId);
}

function* bashCall(rows: Rows, random: Random, messageId: string, callId: string): Generator<object> {
  const isCheck = random() < 0.1;
  const command = pick(random, isCheck ? checks : commands)(pick(random, words), Math.floor(random() * 200));
  yield rows.block(messageId, {
    type: "tool_use",
    id: callId,
    name: "Bash",
    input: { command, description: "Runs a command" },
  });
  for (let n = 0; n < 3 * random(); n++) {
    yield rows.loose("progress", { data: { type: "bash_progress", output: code(random, 500), elapsedTimeSeconds: n } });
  }
  const fails = isCheck && random() < 0.3;
  const text = `${code(random, 4000 * random())}\n${fails ? "1 failed, 11 passed" : "12 passed"} in 0.41s`;
  yield fails
    ? rows.result(callId, {
        content: `Exit code 1\n${text}`,
        isError: true,
        toolUseResult: `Error: Exit code 1\n${text}`,
      })
    : rows.result(callId, {
        content: text,
        isError: false,
        toolUseResult: { stdout: text, stderr: "", interrupted: false, isImage: false },
      });
}

function* readCall(rows: Rows, random: Random, messageId: string, callId: string): Generator<object> {
  yield rows.block(messageId, {
    type: "tool_use",
    id: callId,
    name: "Read",
    input: { file_path: "/home/user/project/a.ts" },
  });
  const content = code(random, 1000 + 20_000 * random() ** 2);
  const numbered = content
    .split("\n")
    .map((line, i) => `${i + 1}\t${line}`)
    .join("\n");
  yield rows.result(callId, {
    content: numbered,
    toolUseResult: { type: "text", file: { filePath: "/home/user/project/a.ts", content, numLines: 300 } },
  });
}

function* editCall(rows: Rows, random: Random, messageId: string, callId: string): Generator<object> {
  const originalFile = code(random, 2000 + 30_000 * random() ** 2);
  const oldString = originalFile.slice(100, 700);
  const newString = code(random, 700);
  const input = { file_path: "/home/user/project/a.ts", old_string: oldString, new_string: newString };
  yield rows.block(messageId, { type: "tool_use", id: callId, name: "Edit", input });
  const structuredPatch = [{ oldStart: 1, newStart: 1, lines: newString.split("\n").map((line) => `+${line}`) }];
  yield rows.result(callId, {
    content: "The file /home/user/project/a.ts has been updated.",
    toolUseResult: { filePath: "/home/user/project/a.ts", oldString, newString, originalFile, structuredPatch },
  });
}

function* writeCall(rows: Rows, random: Random, messageId: string, callId: string): Generator<object> {
  const content = code(random, 2000 + 8000 * random());
  yield rows.block(messageId, {
    type: "tool_use",
    id: callId,
    name: "Write",
    input: { file_path: "/home/user/project/b.ts", content },
  });
  yield rows.result(callId, {
    content: "File created.",
    toolUseResult: { type: "create", filePath: "/home/user/project/b.ts", content, structuredPatch: [] },
  });
}
