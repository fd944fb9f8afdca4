/** Set to false by build.mjs: what is shipped has no such point. */
declare const CATSTACK_CRASH_POINTS: boolean | undefined;

/** What is done to a file by functions that many files go through. `linked` names the new name, `removed` the one that is gone. */
type Change = "created" | "written" | "synced" | "linked" | "replaced" | "folder synced" | "truncated" | "removed";

interface Step {
  /** What has just happened. */
  readonly after: string;
  /** Where that is a change of a file: which one, and of which file. Others are told by `crashAt`. */
  readonly change?: readonly [Change, RegExp];
}

const temporary = /\/tmp\/[\w-]+\.json\.\d+\.\w+\.tmp$/;
const inboxFile = /\/inbox\/[^/.][^/]*\.json$/;
const verdict = /\/outbox\/[\w-]+\.json$/;
const queued = /\/undelivered\/\w+\/[\w-]+\.json$/;
const attempts = /\/attempts\/[\w-]+$/;
const claim = /\/claimed\/[^/]+\/[\w-]+\.json$/;
const dying = /\/(?:claimed|reclaim)\/[^/]+\/[\w-]+\.json$/;
const reclaimed = /\/reclaim\/[^/]+\/[\w-]+\.json$/;
const run = /\.run\.json$/;
const runTemporary = /\.run\.json\.\d+\.\w+\.tmp$/;
const record = /\.death\.json$/;
const recordTemporary = /\.death\.json\.\d+\.\w+\.tmp$/;
const grave = /\/dead\/[^/]+\.json$/;
const instance = /\/instances\/[^/.][^/]*\.json$/;
const instanceTemporary = /\/instances\/[^/]+\.tmp$/;
const owner = /\/delivering\/[^/]+\/\.owner$/;
const delivering = /\/delivering\/[^/]+\/[\w-]+\.json$/;

/**
 * Every step of the queue's protocol, in the order in which a process passes them. P: a producer puts a job into the inbox; E: its hook tells
 * the person; S: a watcher starts; C: it claims a job, has it judged and publishes the verdict; X: a job dies; Q: a stopping watcher puts a
 * job back; L: it leaves; R: a watcher gives back what a dead one had claimed; D: a hook delivers verdicts; B: what a dead hook was
 * delivering goes back.
 */
const steps = {
  "P1 created": { after: "the temporary file is there, and empty", change: ["created", temporary] },
  "P2 written": { after: "the job is in it", change: ["written", temporary] },
  "P3 synced": { after: "it is on disk", change: ["synced", temporary] },
  "P4 linked": { after: "the job has its name in the inbox", change: ["linked", inboxFile] },
  "P5 folder synced": { after: "the name is on disk", change: ["folder synced", inboxFile] },
  "P6 temporary removed": { after: "nothing else has the job", change: ["removed", temporary] },
  "E1 marked": { after: "the mark says that the person is about to be told" },
  "E2 printed": { after: "the person was told" },
  "E3 settled": { after: "the mark says so" },

  "S1 instance written": {
    after: "the watcher's file is written, and has no name",
    change: ["written", instanceTemporary],
  },
  "S1 instance known": { after: "others can see the watcher", change: ["replaced", instance] },
  "S2 instance locked": { after: "the watcher's own lock is taken" },

  "C1 listed": { after: "a job was seen and chosen" },
  "C2 claimed": { after: "the job was moved to claimed/<instance>/" },
  "C2 locked": { after: "the claim's lock is taken" },
  "C3 read": { after: "the job was read" },
  "C4 answered before": { after: "the job's verdict was found, and is queued where it was not" },
  "C5 expired": { after: "the job was found to have expired" },
  "C6 start counted": { after: "the caps count it" },
  "C6 attempt begun": { after: "the file of attempts is there", change: ["created", attempts] },
  "C6 attempt written": { after: "it has one byte more", change: ["written", attempts] },
  "C6 attempt counted": { after: "that is on disk", change: ["synced", attempts] },
  "C6 attempt named": { after: "so is the name of its file", change: ["folder synced", attempts] },
  "C7 folder made": { after: "the runner's temporary folder is there" },
  "C7 spawned": { after: "the runner runs" },
  "C7 run written": { after: "the record of the run is written, and has no name", change: ["written", runTemporary] },
  "C7 run recorded": { after: "the record lies beside the claim", change: ["replaced", run] },
  "C8 folder removed": { after: "the runner is gone, and its folder" },
  "C8 answered": { after: "the answers are known" },
  "C9 still ours": { after: "nobody has taken the claim, so the verdict may be published" },
  "C10 created": { after: "the verdict's temporary file is there, and empty", change: ["created", temporary] },
  "C10 written": { after: "the verdict is in it", change: ["written", temporary] },
  "C10 synced": { after: "it is on disk", change: ["synced", temporary] },
  "C10 linked": { after: "the verdict has its name in the outbox", change: ["linked", verdict] },
  "C10 folder synced": { after: "the name is on disk", change: ["folder synced", verdict] },
  "C10 queued": { after: "it has its name in undelivered/", change: ["linked", queued] },
  "C10 queue synced": { after: "that name is on disk", change: ["folder synced", queued] },
  "C10 temporary removed": { after: "the temporary file is gone", change: ["removed", temporary] },
  "C11 attempts removed": { after: "nothing counts the job's attempts any more", change: ["removed", attempts] },
  "C11 run removed": { after: "the record of the run is gone", change: ["removed", run] },
  "C11 claim removed": { after: "the job is gone", change: ["removed", claim] },
  "C12 unlocked": { after: "the claim's lock is given back, whichever way the claim ended" },

  "X1 record written": { after: "what is to be done is written, and has no name", change: ["synced", recordTemporary] },
  "X1 record named": { after: "the record lies beside the claim", change: ["replaced", record] },
  "X1 recorded": { after: "that is on disk", change: ["folder synced", record] },
  "X2 judged": { after: "the verdict on it is published" },
  "X3 linked": { after: "the file has a name in dead/", change: ["linked", grave] },
  "X3 folder synced": { after: "that name is on disk", change: ["folder synced", grave] },
  "X3 moved": { after: "it has no other name", change: ["removed", dying] },
  "X4 attempts removed": { after: "nothing counts its attempts any more", change: ["removed", attempts] },
  "X5 reason moved": { after: "the record is the reason beside it" },

  "Q1 refunded": { after: "the attempt does not count", change: ["removed", attempts] },
  "Q2 run removed": { after: "the record of the run is gone", change: ["removed", run] },
  "Q3 linked": { after: "the job has its name in the inbox again", change: ["linked", inboxFile] },
  "Q4 folder synced": { after: "that name is on disk", change: ["folder synced", inboxFile] },
  "Q5 claim removed": { after: "it has no other name", change: ["removed", claim] },
  "L1 folder removed": { after: "claimed/<instance>/ is gone" },
  "L2 unlocked": { after: "the watcher's own lock is given back" },
  "L3 instance removed": { after: "nothing tells of the watcher", change: ["removed", instance] },

  "R1 taken": { after: "the dead watcher's folder was moved to reclaim/<dead>@<me>/" },
  "R2 killed": { after: "what it had left running is ended" },
  "R3 linked": { after: "a job has its name in the inbox again", change: ["linked", inboxFile] },
  "R3 folder synced": { after: "that name is on disk", change: ["folder synced", inboxFile] },
  "R3 claim removed": { after: "it has no other name", change: ["removed", reclaimed] },
  "R3 run removed": { after: "a record of a run is gone", change: ["removed", run] },
  "R3 emptied": { after: "the folder is empty" },
  "R4 folder removed": { after: "it is gone" },
  "R4 temporary folders removed": { after: "the folders of its runners are gone" },
  "R4 lock removed": { after: "a lock of its is gone" },
  "R4 instance removed": { after: "nothing tells of it", change: ["removed", instance] },

  "D1 folder made": { after: "the hook's own folder in delivering/ is there" },
  "D1 owner written": { after: "the folder says whose it is" },
  "D1 claimed": { after: "a verdict was moved into it" },
  "D2 printed": { after: "the verdicts are with the harness" },
  "D3 marked": { after: "a verdict is marked as printed" },
  "D3 removed": { after: "it is in undelivered/ and delivering/ no more", change: ["removed", delivering] },
  "D3 owner removed": { after: "the folder says nothing", change: ["removed", owner] },
  "D3 folder removed": { after: "the folder is gone" },
  "D4 put back": { after: "a verdict that could not be printed is in undelivered/ again" },
  "D5 reason written": { after: "why a file is no verdict stands in dead/" },
  "D5 buried": { after: "the file lies beside it" },
  "B1 put back": { after: "one that was not printed is in undelivered/ again" },
  "B1 removed": { after: "one that was printed is gone", change: ["removed", delivering] },
  "B2 owner removed": { after: "the folder says nothing", change: ["removed", owner] },
  "B3 folder removed": { after: "the folder is gone" },
} as const satisfies Record<string, Step>;

/** A step, by its number in the protocol and what was done. */
export type CrashStep = keyof typeof steps;

/** Those which only `crashAt` can tell. */
type ToldStep = { [S in CrashStep]: (typeof steps)[S] extends { readonly change: unknown } ? never : S }[CrashStep];

/** All of them, in order. A function, so that no bundle holds the table which does not ask for it. */
export function listCrashSteps(): CrashStep[] {
  return Object.keys(steps).filter(isStep);
}

/** For tests of recovery: the process kills itself, as a crash would, when it reaches the step that `CATSTACK_CRASH_AT` names. */
export function crashAt(step: ToldStep): void {
  if (typeof CATSTACK_CRASH_POINTS === "boolean" && !CATSTACK_CRASH_POINTS) return;
  if (process.env["CATSTACK_CRASH_AT"] === step) process.kill(process.pid, "SIGKILL");
}

/** As `crashAt`, at the steps that are this change of a file of this path. */
export function crashAfter(change: Change, path: string): void {
  if (typeof CATSTACK_CRASH_POINTS === "boolean" && !CATSTACK_CRASH_POINTS) return;
  const wanted = process.env["CATSTACK_CRASH_AT"];
  if (wanted === undefined || !isStep(wanted)) return;
  const step: Step = steps[wanted];
  if (step.change?.[0] === change && step.change[1].test(path)) process.kill(process.pid, "SIGKILL");
}

function isStep(name: string): name is CrashStep {
  return Object.hasOwn(steps, name);
}
