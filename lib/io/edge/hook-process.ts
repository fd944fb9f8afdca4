import { formatClaudeStop } from "../../harness/claude.ts";
import { findCodexNotice, formatCodexStop, parseCodexNotice } from "../../harness/codex.ts";
import { cursorAnswer, formatCursorStop } from "../../harness/cursor.ts";
import { parsePayload } from "../../harness/parse-payload.ts";
import { harnesses, type ParsedPayload, type Payload } from "../../harness/payload.ts";
import { silence } from "../../harness/reply.ts";
import { renderErrors, type HookError } from "../../harness/render-error.ts";
import { removeMark, settleMark, type Mark } from "./once.ts";
import type { Harness } from "../../hook.ts";
import type { Adapter } from "../../transcript/adapter.ts";
import { isTooDeep } from "../../transcript/row.ts";
import { crashAt } from "../crash-point.ts";
import { getMonotonicMs } from "../monotonic.ts";
import { findFolderRefusal } from "../ownership.ts";
import { getStatePaths, STATE_VARIABLE } from "../paths.ts";
import { findRollout } from "./find-rollout.ts";
import { joinReply } from "./join-reply.ts";
import { isSpareCopy } from "./plugin-copy.ts";
import { noteRun } from "./run-log.ts";
import { readStdin, type StdinSource } from "./read-stdin.ts";
import { runHooks, type Edge } from "./run-hooks.ts";
import { runPrompt, type PromptRun } from "./run-prompt.ts";
import { writeOutput } from "./write-output.ts";

/** A started hook process: `hook.mjs <harness> [event]`. */
export interface HookProcess extends Omit<Edge, "adapter">, StdinSource {
  readonly args: readonly string[];
  readonly adapters: Readonly<Record<Harness, Adapter>>;
  readonly stdoutFd: number;
}

interface EventRun extends PromptRun {
  readonly errors: readonly HookError[];
}

/** Harnesses end a hook after 10 s; the largest payload is a pasted prompt of some megabytes. */
const STDIN_LIMITS = { maxBytes: 64 * 1024 * 1024, timeoutMs: 5000 };

/** Answers one event of a harness: writes stdout and gives what is to stand on stderr. Hooks of Cursor's own have answered by now. */
export async function runHookProcess(hookProcess: HookProcess): Promise<string> {
  const begun = getMonotonicMs();
  const [name = "nothing", eventName] = hookProcess.args;
  const harness = harnesses.find((known) => known === name);
  if (harness === undefined) {
    return renderErrors([
      edgeError(`expected one of ${harnesses.join(", ")} as first argument, got ${name}; correct the hook's command`),
    ]);
  }
  const notice = harness === "codex" ? findCodexNotice(hookProcess.args) : undefined;
  const parsed =
    notice === undefined
      ? await readPayload(hookProcess, (value) => parsePayload(harness, value, eventName))
      : parseText(notice, "as last argument", parseCodexNotice);
  if (!parsed.ok) return renderErrors([edgeError(parsed.reason)]);
  if (isSpareCopy(parsed.payload, hookProcess.args, hookProcess.env)) return "";
  const paths = getStatePaths(hookProcess.env);
  const refusal = findFolderRefusal(paths.root, STATE_VARIABLE);
  if (refusal !== undefined) return renderErrors([edgeError(refusal)]);
  const { reply, errors, ...run } = runEvent(parsed.payload, hookProcess);
  const isClaudesCopy = parsed.payload.harness === "cursor" && harness === "claude";
  const failure = print(isClaudesCopy ? cursorAnswer : reply.stdout, run, hookProcess.stdoutFd);
  const met = failure === undefined ? errors : [failure, ...errors];
  const { harness: from, event = "other" } = parsed.payload;
  noteRun(paths, { harness: from, event, at: hookProcess.now, durationMs: getMonotonicMs() - begun, errors: met });
  return (failure === undefined ? reply.stderr : "") + renderErrors(met);
}

async function readPayload(source: StdinSource, parse: (value: unknown) => ParsedPayload): Promise<ParsedPayload> {
  const reading = await readStdin(source, STDIN_LIMITS);
  return reading.ok ? parseText(reading.text, "on stdin", parse) : reading;
}

function parseText(text: string, where: string, parse: (value: unknown) => ParsedPayload): ParsedPayload {
  const refuse = (got: string): ParsedPayload => ({
    ok: false,
    reason: `expected a hook payload as JSON ${where}, got ${got}; pass on what the harness sends`,
  });
  if (isTooDeep(text)) return refuse("lists or objects more than 1,000 deep");
  try {
    return parse(JSON.parse(text.replace(/^\uFEFF/, "")));
  } catch {
    return refuse(`${text.length} characters of something else`);
  }
}

/** What is thrown counts as a run, too. */
function runEvent(payload: Payload, edge: HookProcess): EventRun {
  try {
    return answer(payload, edge);
  } catch (error) {
    return { ...nothing, errors: [edgeError(error)] };
  }
}

const nothing: EventRun = { reply: silence, errors: [], commit: () => {}, putBack: () => {} };

function answer(payload: Payload, edge: HookProcess): EventRun {
  if (payload.subagent) return nothing;
  if (payload.harness === "cursor") return answerCursor(payload, edge);
  if (payload.event === "Notice") return answerNotice(payload, edge);
  if (payload.event === "UserPromptSubmit") return { ...nothing, ...runPrompt(payload, edge) };
  return payload.event === "Stop" && !payload.stopHookActive ? answerStop(payload, edge) : nothing;
}

/** No answer to a prompt is documented to reach the agent: verdicts stay where `catstack verdicts` finds them. */
function answerCursor(payload: Payload, edge: HookProcess): EventRun {
  const whole = payload.event === "Stop" || payload.event === "Reply" ? joinReply(payload, edge) : undefined;
  return whole === undefined ? nothing : answerStop(whole, edge);
}

const noThread = "expected thread-id in Codex's notice, got none; update Codex";

/** Nobody reads what is printed: what is found out waits for the judge, and for `catstack verdicts`. */
function answerNotice(payload: Payload, edge: HookProcess): EventRun {
  if (payload.sessionId === undefined) return { ...nothing, errors: [edgeError(noThread)] };
  const transcriptPath = findRollout(payload.sessionId, edge.env);
  if (transcriptPath === undefined) return nothing;
  return { ...answerStop({ ...payload, event: "Stop", transcriptPath }, edge), reply: silence };
}

const formats = { claude: formatClaudeStop, codex: formatCodexStop, cursor: formatCursorStop };

function answerStop(payload: Payload, { adapters, ...edge }: HookProcess): EventRun {
  const { said, errors, marks } = runHooks("Stop", payload, { ...edge, adapter: adapters[payload.harness] });
  return {
    reply: formats[payload.harness](said),
    errors,
    commit: () => settle(marks),
    putBack: () => marks.forEach(removeMark),
  };
}

function settle(marks: readonly Mark[]): void {
  crashAt("E2 printed");
  marks.forEach(settleMark);
  crashAt("E3 settled");
}

/** What is claimed for printing is given up once it is printed, and put back when the harness has gone away. */
function print(
  text: string,
  { commit, putBack }: Pick<EventRun, "commit" | "putBack">,
  fd: number,
): HookError | undefined {
  try {
    writeOutput(fd, text);
  } catch (error) {
    putBack();
    return edgeError(error);
  }
  commit();
  return undefined;
}

function edgeError(error: unknown): HookError {
  return { hook: "edge", error };
}
