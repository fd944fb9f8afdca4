/** A Codex session under construction. Every method adds rows and gives the same session back. */
export interface Rollout {
  user(text: string): Rollout;
  says(text: string): Rollout;
  /** A new turn in this folder. */
  turn(cwd: string): Rollout;
  call(callId: string, name: string, args: object): Rollout;
  script(callId: string, input: string): Rollout;
  /** The output of a call: a text, or the texts that a script printed. */
  output(callId: string, output: string | readonly string[]): Rollout;
  /** The client's own record of a command that has ended. */
  record(id: string, command: string, exitCode: number, text: string, more?: object): Rollout;
  /** A call of exec_command with its output. */
  ran(command: string, text: string, exitCode?: number): Rollout;
  raw(row: object): Rollout;
  toJsonl(): string;
}

/** A session in /home/user/project, in rows as Codex 0.147 writes them; records are of 0.171. Rows are one second apart. */
export function rollout(meta: object = {}): Rollout {
  const lines: string[] = [];
  let calls = 0;
  const add = (type: string, payload: object): Rollout => {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + 1000 * lines.length).toISOString();
    lines.push(JSON.stringify({ timestamp, type, payload }));
    return session;
  };
  const item = (payload: object): Rollout => add("response_item", payload);
  const event = (payload: object): Rollout => add("event_msg", payload);
  const session: Rollout = {
    user(text) {
      item({ type: "message", role: "user", content: [{ type: "input_text", text }] });
      return event({ type: "user_message", message: text, images: [] });
    },
    says(text) {
      event({ type: "agent_message", message: text });
      return item({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
    },
    turn: (cwd) => add("turn_context", { cwd, approval_policy: "never" }),
    call: (call_id, name, args) => item({ type: "function_call", name, arguments: JSON.stringify(args), call_id }),
    script: (call_id, input) => item({ type: "custom_tool_call", status: "completed", call_id, name: "exec", input }),
    output(call_id, output) {
      const type = typeof output === "string" ? "function_call_output" : "custom_tool_call_output";
      const texts = typeof output === "string" ? [] : [scriptHead, ...output];
      const blocks = texts.map((text) => ({ type: "input_text", text }));
      return item({ type, call_id, output: typeof output === "string" ? output : blocks });
    },
    record: (id, command, exit_code, aggregated_output, more = {}) =>
      event({
        type: "item_completed",
        item: {
          type: "CommandExecution",
          id,
          command: ["/bin/bash", "-lc", command],
          cwd: "file:///home/user/project",
          source: "unified_exec_startup",
          status: exit_code === 0 ? "completed" : "failed",
          aggregated_output,
          exit_code,
          ...more,
        },
      }),
    ran(cmd, text, exitCode = 0) {
      const callId = `call_${String(++calls).padStart(4, "0")}`;
      return session.call(callId, "exec_command", { cmd }).output(callId, exited(exitCode, text));
    },
    raw(row) {
      lines.push(JSON.stringify(row));
      return session;
    },
    toJsonl: () => lines.map((line) => `${line}\n`).join(""),
  };
  return add("session_meta", { id: "1", cwd: "/home/user/project", cli_version: "0.147.0", ...meta });
}

const scriptHead = "Script completed\nWall time 0.3 seconds\nOutput:\n";

/** What a call gives back when its command has ended. */
export function exited(code: number, text: string): string {
  return `Chunk ID: ab12\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOriginal token count: 9\nOutput:\n${text}`;
}

/** What a call gives back when its command goes on. */
export function goesOn(session: number, text: string): string {
  return `Chunk ID: ab12\nWall time: 1.0 seconds\nProcess running with session ID ${session}\nOriginal token count: 9\nOutput:\n${text}`;
}
