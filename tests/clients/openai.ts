import { renderEvents } from "./model-server.ts";
import type { Call, Protocol, Step } from "./model-server.ts";

/** What Codex speaks: the Responses API, streamed. */
export const openai: Protocol = {
  path: "/responses",
  messages: "input",
  asksForTitle: ({ text }) => JSON.stringify([text]).includes('"title"'),
  render: (step, id) => {
    const usage = { input_tokens: 10, input_tokens_details: { cached_tokens: 0 }, output_tokens: 5, total_tokens: 15 };
    return renderEvents([
      { type: "response.created", response: { id } },
      ...getItems(step, id).flatMap((item, output_index) => [
        { type: "response.output_item.added", output_index, item },
        { type: "response.output_item.done", output_index, item },
      ]),
      {
        type: "response.completed",
        response: { id, usage: { ...usage, output_tokens_details: { reasoning_tokens: 0 } } },
      },
    ]);
  },
};

function getItems({ text, calls = [] }: Step, id: string) {
  const content = [{ type: "output_text", text, annotations: [] }];
  return [
    ...(text === undefined ? [] : [{ type: "message", role: "assistant", id: `msg_${id}`, content }]),
    ...calls.map((call, index) => toItem(call, `${id}_${index}`)),
  ];
}

function toItem({ tool: name, input, namespace }: Call, id: string) {
  return typeof input === "string"
    ? { type: "custom_tool_call", id: `ctc_${id}`, call_id: `call_${id}`, name, input, status: "completed" }
    : {
        type: "function_call",
        id: `fc_${id}`,
        call_id: `call_${id}`,
        name,
        ...(namespace !== undefined && { namespace }),
        arguments: JSON.stringify(input),
      };
}
