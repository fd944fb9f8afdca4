import { formatClaudeStop, parseClaudePayload } from "../../harness/claude.ts";
import { formatCodexStop, isCodexNotification, parseCodexPayload } from "../../harness/codex.ts";
import { harnesses, type ParsedPayload, type Payload } from "../../harness/payload.ts";
import { silence } from "../../harness/reply.ts";
import { renderErrors, type HookError } from "../../harness/render-error.ts";
import { removeMark, settleMark, type Mark } from "./once.ts";
import { isTooDeep } from "../../transcript/row.ts";
import { crashAt } from "../crash-point.ts";
import { getMonotonicMs } from "../monotonic.ts";
import { findFolderRefusal } from "../ownership.ts";
import { getStatePaths, STATE_VARIABLE } from "../paths.ts";
import { noteRun } from "./run-log.ts";
import { readStdin, type StdinSource } from "./read-stdin.ts";
import { runHooks, type Edge } from "./run-hooks.ts";
import { runPrompt, type PromptRun } from "./run-prompt.ts";
import { writeOutput } from "./write-output.ts";

/** A started hook process: `hook.mjs <harness> [event]`. */
export interface HookProcess extends Edge, StdinSource {
  readonly args: readonly string[];
  readonly stdoutFd: number;
}

interface EventRun extends PromptRun {
  readonly errors: readonly HookError[];
}

/** Harnesses end a hook after 10 s; the largest payload is a pasted prompt of some megabytes. */
const STDIN_LIMITS = { maxBytes: 64 * 1024 * 1024, timeoutMs: 5000 };

const tooDeep =
  "expected a hook payload as JSON on stdin, got lists or objects more than 1,000 deep; pipe in what the harness sends";

/** Answers one event of a harness: writes stdout and gives what is to stand on stderr. */
export async function runHookProcess(hookProcess: HookProcess): Promise<string> {
  const begun = getMonotonicMs();
  const [harness = "nothing", eventName] = hookProcess.args;
  if (!harnesses.some((name) => name === harness)) {
    return renderErrors([
      edgeError(
        `expected one of ${harnesses.join(", ")} as first argument, got ${harness}; correct the hook's command`,
      ),
    ]);
  }
  // No hook listens to an event of cursor yet.
  if (harness === "cursor" || (harness === "codex" && isCodexNotification(hookProcess.args))) return "";
  const parse = harness === "codex" ? parseCodexPayload : parseClaudePayload;
  const parsed = await readPayload(hookProcess, (value) => parse(value, eventName));
  if (!parsed.ok) return renderErrors([edgeError(parsed.reason)]);
  const paths = getStatePaths(hookProcess.env);
  const refusal = findFolderRefusal(paths.root, STATE_VARIABLE);
  if (refusal !== undefined) return renderErrors([edgeError(refusal)]);
  const { reply, errors, ...run } = runEvent(parsed.payload, hookProcess);
  const failure = print(reply.stdout, run, hookProcess.stdoutFd);
  const met = failure === undefined ? errors : [failure, ...errors];
  const { harness: from, event = "other" } = parsed.payload;
  noteRun(paths, { harness: from, event, at: hookProcess.now, durationMs: getMonotonicMs() - begun, errors: met });
  return (failure === undefined ? reply.stderr : "") + renderErrors(met);
}

async function readPayload(source: StdinSource, parse: (value: unknown) => ParsedPayload): Promise<ParsedPayload> {
  const reading = await readStdin(source, STDIN_LIMITS);
  if (!reading.ok) return reading;
  if (isTooDeep(reading.text)) return { ok: false, reason: tooDeep };
  try {
    return parse(JSON.parse(reading.text.replace(/^\uFEFF/, "")));
  } catch {
    const got = `${reading.text.length} characters of something else`;
    return {
      ok: false,
      reason: `expected a hook payload as JSON on stdin, got ${got}; pipe in what the harness sends`,
    };
  }
}

/** What is thrown counts as a run, too. */
function runEvent(payload: Payload, edge: Edge): EventRun {
  try {
    return answer(payload, edge);
  } catch (error) {
    return { ...nothing, errors: [edgeError(error)] };
  }
}

const nothing: EventRun = { reply: silence, errors: [], commit: () => {}, putBack: () => {} };

function answer(payload: Payload, edge: Edge): EventRun {
  if (payload.event === "UserPromptSubmit") return { ...nothing, ...runPrompt(payload, edge) };
  if (payload.event !== "Stop" || payload.stopHookActive || payload.subagent) return nothing;
  const { said, errors, marks } = runHooks("Stop", payload, edge);
  const formatStop = payload.harness === "codex" ? formatCodexStop : formatClaudeStop;
  return {
    reply: formatStop(said),
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
