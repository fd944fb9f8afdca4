import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import { isRecord } from "../../inbox-schema/describe.ts";

/** A tool that the model calls. Tools of free form take a text. */
export interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>> | string;
  /** Codex groups some of its tools. */
  readonly namespace?: string;
}

/** One answer of the model: a text, calls, or both. Without calls the turn ends. */
export interface Step {
  readonly text?: string;
  readonly calls?: readonly Call[];
}

/** A function is asked when its turn has come; it may wait for something. The last step is taken again and again. */
export type Script = readonly (Step | (() => Promise<Step>))[];

export interface ModelRequest {
  /** Whose request it is: that of a sub-agent whose prompt begins with `[[name]]`, `title` where a name is wanted, else `main`. */
  readonly conversation: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as it was sent. */
  readonly text: string;
}

/** How one provider's clients talk. Both ask by POST and are answered by server-sent events. */
export interface Protocol {
  /** The end of the path that answers are asked on. */
  readonly path: string;
  /** The key of a request's body that holds the conversation so far. */
  readonly messages: string;
  /** Whether a request wants a name for the session, beside the session itself. */
  readonly asksForTitle: (body: Readonly<Record<string, unknown>>) => boolean;
  /** The whole answer, as events. `id` is another one each time. */
  readonly render: (step: Step, id: string, body: Readonly<Record<string, unknown>>) => string;
}

/** What is said in each conversation, by name. */
export type Scripts = Readonly<Record<string, Script>>;

export interface ModelServer {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Replaces what is left of all scripts. */
  play(scripts: Scripts): void;
  close(): void;
}

const SILENT: Step = { text: "(there is no script)" };

/** A model on 127.0.0.1 that says what it is told to, one step a request, to each conversation from its own script. */
export async function startModel({ path, messages, asksForTitle, render }: Protocol): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  let scripts: Scripts = {};
  let next: Record<string, number> = {};
  const server = createServer((request, response) => {
    void answer(request).then(({ status, type, text }) =>
      response.writeHead(status, { "content-type": type }).end(text),
    );
  });

  async function answer(request: IncomingMessage) {
    const text = await readText(request);
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const body: unknown = pathname.endsWith(path) && request.method === "POST" ? JSON.parse(text) : undefined;
    if (!isRecord(body)) return { status: 404, type: "application/json", text: '{"error":{"message":"not served"}}' };
    const all: unknown = body[messages];
    const conversation = asksForTitle(body) ? "title" : findConversation(Array.isArray(all) ? all : []);
    requests.push({ conversation, body, text });
    const id = `fake${requests.length}`;
    const index = next[conversation] ?? 0;
    next[conversation] = index + 1;
    const script = scripts[conversation] ?? [];
    const step = script[index] ?? script.at(-1) ?? SILENT;
    const said = typeof step === "function" ? await step() : step;
    return { status: 200, type: "text/event-stream", text: render(said, id, body) };
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a TCP port, got none");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    play(newScripts) {
      scripts = newScripts;
      next = {};
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  request.setEncoding("utf8");
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** Events as they go over the wire. */
export function renderEvents(
  events: readonly (Readonly<Record<string, unknown>> & { readonly type: string })[],
): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/** Whose conversation it is, by the messages that the user's side has sent: prompts of sub-agents begin with `[[name]]`. */
function findConversation(messages: readonly unknown[]): string {
  const texts = messages.flatMap((message) =>
    isRecord(message) && message["role"] === "user" ? listTexts(message) : [],
  );
  const marks = texts.map((text) => /^\[\[([a-z][\w-]*)\]\]/.exec(text)?.[1]);
  return marks.find((mark) => mark !== undefined) ?? "main";
}

function listTexts({ content }: Readonly<Record<string, unknown>>): string[] {
  const blocks: unknown[] = Array.isArray(content) ? content : [{ text: content }];
  return blocks.flatMap((block) => (isRecord(block) && typeof block["text"] === "string" ? [block["text"]] : []));
}
