/**
 * Rows as Claude Code 2.1.197 writes them: one assistant row a content block, one user row a result, every row with
 * its own id, parent and time. Ids and times are counted, so that equal stories give equal bytes.
 */
export interface ClaudeRows {
  prompt(text: string): object;
  /** One row of an assistant message; rows of one message share `messageId`. */
  block(messageId: string, block: object): object;
  result(callId: string, result: ToolResult): object;
  attachment(attachment: object): object;
  system(subtype: string, fields: object): object;
  /** A row that is no part of the chain of parents, such as `queue-operation`. */
  loose(type: string, fields: object): object;
}

export interface ToolResult {
  readonly content?: unknown;
  readonly isError?: boolean;
  /** The sibling field that only the client's own view uses. */
  readonly toolUseResult?: unknown;
}

const usage = {
  input_tokens: 10,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 5,
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: "standard",
};

const sessionId = "00000000-0000-4000-8000-000000000000";

/** `cwd` is the session's folder; `first` the time of the first row, later rows come one second apart. */
export function claudeRows(cwd = "/home/user/project", first = Date.UTC(2026, 0, 1)): ClaudeRows {
  let count = 0;
  let parentUuid: string | null = null;

  function nextTime(): string {
    return new Date(first + 1000 * count++).toISOString();
  }

  function chained(fields: object): object {
    const timestamp = nextTime();
    const uuid = `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
    const row = {
      parentUuid,
      isSidechain: false,
      ...fields,
      uuid,
      timestamp,
      userType: "external",
      entrypoint: "cli",
      cwd,
      sessionId,
      version: "2.1.197",
      gitBranch: "main",
    };
    parentUuid = uuid;
    return row;
  }

  return {
    prompt: (text) => chained({ type: "user", message: { role: "user", content: text }, promptSource: "typed" }),
    block: (messageId, block) =>
      chained({
        message: {
          id: messageId,
          type: "message",
          role: "assistant",
          model: "claude-opus-4-5",
          content: [block],
          stop_reason: "tool_use",
          stop_sequence: null,
          usage,
        },
        requestId: `req_${messageId}`,
        type: "assistant",
      }),
    result: (callId, { content, isError, toolUseResult }) =>
      chained({
        type: "user",
        message: {
          role: "user",
          content: [
            {
              tool_use_id: callId,
              type: "tool_result",
              ...(content === undefined ? {} : { content }),
              ...(isError === undefined ? {} : { is_error: isError }),
            },
          ],
        },
        ...(toolUseResult === undefined ? {} : { toolUseResult }),
      }),
    attachment: (attachment) => chained({ attachment, type: "attachment" }),
    system: (subtype, fields) => chained({ type: "system", subtype, ...fields }),
    loose: (type, fields) => ({ type, ...fields, timestamp: nextTime(), sessionId }),
  };
}
