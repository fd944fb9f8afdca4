import { exited } from "../helpers/codex-rollout.ts";
import { createRandom } from "../helpers/random.ts";
import { base64, checks, code, commands, pick, prose, type Random, words } from "./texts.ts";
import { writeRows } from "./write-rows.ts";

/**
 * Writes a Codex session of at least `megabytes` (1,000,000 bytes each) to `path`, in rows as Codex 0.171 writes them: one call in six edits a
 * file, the others run commands, one in ten of those a check; each output stands in two rows. The same seed gives the same bytes.
 */
export function writeRollout(path: string, megabytes: number, { seed = 1 }: { seed?: number } = {}): void {
  writeRows(path, megabytes, session(seed));
}

/** An endless session. */
function* session(seed: number): Generator<object> {
  const random = createRandom(seed);
  const row = createRows();
  const cwd = "/home/user/project";
  yield row("session_meta", { id: "1", cwd, cli_version: "0.171.0", source: "exec", thread_source: "user" });
  for (let turn = 0; ; turn++) {
    yield row("turn_context", { cwd, approval_policy: "never", instructions: prose(random, 800) });
    yield* message(row, "user", prose(random, 60 + 400 * random()));
    for (let step = 0; step < 20; step++) yield* agentStep(row, random, `call_${turn}_${step}`);
    yield* message(row, "assistant", prose(random, 900));
  }
}

type Row = (type: string, payload: object) => object;

/** Rows are one second apart. */
function createRows(): Row {
  let ordinal = 0;
  return (type, payload) => {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + 1000 * ordinal).toISOString();
    const metadata = { history_sequence: ordinal, client_authored: false, model_search_state: "unused" };
    return { timestamp, ordinal: ordinal++, type, payload, ...(type === "response_item" ? { metadata } : {}) };
  };
}

function* message(row: Row, role: "user" | "assistant", text: string): Generator<object> {
  const [type, kind, inner] =
    role === "user" ? ["input_text", "UserMessage", "text"] : ["output_text", "AgentMessage", "Text"];
  const item = { type: kind, id: "msg_1", content: [{ type: inner, text }] };
  yield row("response_item", { type: "message", id: "msg_1", role, content: [{ type, text }] });
  yield row("event_msg", { type: "item_completed", thread_id: "1", turn_id: "1", item });
}

function* agentStep(row: Row, random: Random, callId: string): Generator<object> {
  if (random() < 0.6)
    yield row("response_item", { type: "reasoning", summary: [], encrypted_content: base64(random, 1200) });
  if (random() < 0.3) yield* message(row, "assistant", prose(random, 300 * random() + 20));
  yield* random() < 0.85 ? command(row, random, callId) : patch(row, random, callId);
  yield row("event_msg", { type: "token_count", info: { total_token_usage: usage, last_token_usage: usage }, limits });
}

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_output_tokens: 0 };
const limits = {
  limit_id: "codex",
  primary: { used_percent: 12, window_minutes: 300 },
  secondary: null,
  credits: null,
};

function* command(row: Row, random: Random, callId: string): Generator<object> {
  const isCheck = random() < 0.1;
  const cmd = pick(random, isCheck ? checks : commands)(pick(random, words), Math.floor(random() * 200));
  const fails = isCheck && random() < 0.3;
  const summary = isCheck ? `${fails ? "1 failed, 11 passed" : "12 passed"} in 0.41s\n` : "";
  const text = `${code(random, 6000 * random() ** 2)}${summary}`;
  const exitCode = fails ? 1 : 0;
  const call = { type: "function_call", name: "exec_command", arguments: JSON.stringify({ cmd }), call_id: callId };
  yield row("response_item", call);
  const item = {
    type: "CommandExecution",
    id: callId,
    command: ["/bin/bash", "-lc", cmd],
    cwd: "file:///home/user/project",
    parsed_cmd: [{ type: "unknown", cmd }],
    source: "unified_exec_startup",
    status: fails ? "failed" : "completed",
    aggregated_output: text,
    exit_code: exitCode,
  };
  yield row("event_msg", { type: "item_completed", thread_id: "1", turn_id: "1", item });
  yield row("response_item", { type: "function_call_output", call_id: callId, output: exited(exitCode, text) });
}

function* patch(row: Row, random: Random, callId: string): Generator<object> {
  const lines = code(random, 6000 * random()).replaceAll(/^/gm, "+");
  const input = `*** Begin Patch\n*** Update File: src/a.ts\n${lines}\n*** End Patch`;
  yield row("response_item", {
    type: "custom_tool_call",
    name: "apply_patch",
    status: "completed",
    input,
    call_id: callId,
  });
  yield row("response_item", { type: "custom_tool_call_output", call_id: callId, output: exited(0, "Done") });
}
