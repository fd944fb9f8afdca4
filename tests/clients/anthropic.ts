import { renderEvents } from "./model-server.ts";
import type { Protocol, Step } from "./model-server.ts";

const usage = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 5 };

/** What Claude Code speaks: the Messages API, streamed. */
export const anthropic: Protocol = {
  path: "/v1/messages",
  messages: "messages",
  asksForTitle: ({ output_config }) => JSON.stringify([output_config]).includes('"title"'),
  render: (step, id, { model }) =>
    renderEvents([
      {
        type: "message_start",
        message: {
          id,
          type: "message",
          role: "assistant",
          model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage,
        },
      },
      ...renderBlocks(step, id),
      {
        type: "message_delta",
        delta: { stop_reason: step.calls === undefined ? "end_turn" : "tool_use", stop_sequence: null },
        usage: { output_tokens: 5 },
      },
      { type: "message_stop" },
    ]),
};

function renderBlocks({ text, calls = [] }: Step, id: string) {
  const blocks = [
    ...(text === undefined ? [] : [{ block: { type: "text", text: "" }, delta: { type: "text_delta", text } }]),
    ...calls.map(({ tool, input }, index) => ({
      block: { type: "tool_use", id: `toolu_${id}_${index}`, name: tool, input: {} },
      delta: { type: "input_json_delta", partial_json: JSON.stringify(input) },
    })),
  ];
  return blocks.flatMap(({ block, delta }, index) => [
    { type: "content_block_start", index, content_block: block },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ]);
}
