import { join } from "node:path";
import type { Job } from "../../inbox-schema/job.ts";
import type { Hook } from "../../lib/hook.ts";
import { createUnseal } from "../../lib/outcome/render-prompt.ts";
import { hearPrompt, hearStop, type Heard } from "./heard.ts";
import { createStage, type Stage } from "./stage.ts";
import type { Client, Story, Turn } from "./story-schema.ts";
import { createClaudeTeller } from "./tell/claude.ts";
import { createCodexTeller } from "./tell/codex.ts";
import { tellStep, toTyped, type Teller } from "./tell/teller.ts";

/** What happened in a turn. */
export interface TurnRecord {
  /** What the person and the agent heard before it, at its own prompt, where no turn of its session had ended yet. */
  readonly opening: Heard | undefined;
  /** What was said when it ended. */
  readonly end: Heard;
  readonly jobs: readonly Job[];
  /** Hooks that noted what they would have done. */
  readonly observed: readonly string[];
  /** Hooks of which a question went to the model that the turn has no answer for. */
  readonly unanswered: readonly string[];
  /** What was said at the next prompt of its session. */
  next: Heard;
}

export interface PlayOptions {
  /** An empty folder. */
  readonly root: string;
  readonly client: Client;
  readonly hooks: readonly Hook[];
  /** Where programs are found. */
  readonly path: string;
  readonly now: Date;
}

interface Session {
  readonly id: string;
  readonly transcript: string;
  readonly teller: Teller;
  last?: TurnRecord;
}

const CWD = "/home/user/project";
/** What is typed after the last turn of a session, so that it is delivered to. */
const LAST_PROMPT = "Go on.";

/** Lives a story through, turn by turn, as one client has it. */
export async function playStory(story: Story, options: PlayOptions): Promise<readonly TurnRecord[]> {
  const stage = createStage({ ...options, env: story.env });
  const sessions = new Map<string, Session>();
  const records: TurnRecord[] = [];
  let now = options.now;
  for (const turn of story.turns) {
    now = new Date(now.getTime() + (turn.minutes_later ?? 0) * 60_000);
    const session = sessions.get(turn.session) ?? openSession(options, sessions.size + 1);
    sessions.set(turn.session, session);
    const record = await playTurn(turn, session, { stage, now });
    session.last = record;
    records.push(record);
  }
  for (const session of sessions.values()) {
    if (session.last !== undefined) session.last.next = await prompt(LAST_PROMPT, session, { stage, now });
  }
  return records;
}

function openSession({ root, client }: PlayOptions, number: number): Session {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const place = { sessionId: id, cwd: CWD };
  return {
    id,
    transcript: join(root, "sessions", `${id}.jsonl`),
    teller: client === "claude" ? createClaudeTeller(place) : createCodexTeller(place),
  };
}

interface Moment {
  readonly stage: Stage;
  readonly now: Date;
}

async function playTurn(turn: Turn, session: Session, moment: Moment): Promise<TurnRecord> {
  const { stage, now } = moment;
  const heard = await prompt(toTyped(turn.user), session, moment);
  if (session.last !== undefined) session.last.next = heard;
  tell(turn, session, stage);
  const waiting = stage.readJobs();
  const noted = stage.readObserved().length;
  const stop = { ...getPayload(session, "Stop"), stop_hook_active: false, last_assistant_message: turn.reply };
  const end = hearStop(await stage.send({ ...stop, ...turn.payload }, now));
  const jobs = [...stage.readJobs().values()].filter(({ id }) => !waiting.has(id));
  const record = {
    opening: session.last === undefined ? heard : undefined,
    end,
    jobs,
    observed: stage.readObserved().slice(noted),
    unanswered: [],
    next: { person: [], agent: [], errors: [] },
  };
  return turn.judge === "away" ? record : { ...record, unanswered: await judge(turn, moment) };
}

async function prompt(text: string, session: Session, { stage, now }: Moment): Promise<Heard> {
  return hearPrompt(await stage.send({ ...getPayload(session, "UserPromptSubmit"), prompt: text }, now));
}

function tell({ resumed, user, ran, reply }: Turn, { teller, transcript }: Session, stage: Stage): void {
  if (resumed === true) teller.resume();
  teller.prompt(user);
  for (const step of ran) tellStep(teller, step);
  teller.says(reply);
  stage.append(transcript, teller.takeRows());
}

function getPayload({ id, transcript }: Session, event: "Stop" | "UserPromptSubmit"): object {
  return {
    session_id: id,
    transcript_path: transcript,
    cwd: CWD,
    permission_mode: "default",
    hook_event_name: event,
  };
}

/** Has all judged that waits, also what earlier turns left. Gives the hooks whose questions found no answer. */
async function judge({ answers: given }: Turn, { stage, now }: Moment): Promise<readonly string[]> {
  const jobs = [...stage.readJobs().values()];
  if (jobs.length === 0) return [];
  const answers = new Map<string, string>();
  const unanswered: string[] = [];
  for (const job of jobs) {
    const { id, hook, prompt: question } = job;
    if (question === undefined) continue;
    const found = given[hook]?.find(({ about = "" }) => question.includes(about));
    if (found === undefined) unanswered.push(hook);
    else if (found.answer !== null) answers.set(id, toOutput(found.answer, job));
  }
  await stage.judge(answers, now);
  return unanswered;
}

/** A model that reads the question names its keys as the question does; a story need not know the marks. */
function toOutput(answer: string | Record<string, unknown>, job: Job): string {
  if (typeof answer === "string") return answer;
  const unseal = createUnseal(job);
  const asAsked = (key: string): string => job.hit_if_all_true.find((name) => unseal(name) === key) ?? key;
  return JSON.stringify(Object.fromEntries(Object.entries(answer).map(([key, value]) => [asAsked(key), value])));
}
