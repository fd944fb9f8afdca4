import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Mode } from "../../../inbox-schema/job.ts";
import type { Ended } from "../../../judge/runners/spawn.ts";
import { QUESTION } from "./ask.ts";
import type { Change } from "./ask.ts";
import type { Stage } from "./stage.ts";

/** A switch of the shipped argv that is left out, and what then happens: it does close something. */
export interface Opening {
  /** What is left out, as a person would write it. */
  readonly without: string;
  readonly change: Change;
  /** The hostile case, by name. */
  readonly meets: string;
  /** `investigate` if absent. */
  readonly mode?: Mode;
  readonly happens: string;
  readonly isSeen: (stage: Stage, ended: Ended) => boolean;
}

/** A file of this name has appeared in the project. */
export function makes(name: string): Pick<Opening, "happens" | "isSeen"> {
  return { happens: `a file: ${name}`, isSeen: ({ trap }) => existsSync(trap(name)) };
}

/** A file has appeared below the stage's root that is named so. */
export function makesFile(path: string): Pick<Opening, "happens" | "isSeen"> {
  return { happens: `a file: ${path}`, isSeen: ({ project }) => existsSync(join(project, path)) };
}

export function sends(what: string, text: (stage: Stage) => string): Pick<Opening, "happens" | "isSeen"> {
  return {
    happens: `the model is sent ${what}`,
    isSeen: (stage) => stage.model.requests.some((request) => request.text.includes(text(stage))),
  };
}

export const asksNobody: Pick<Opening, "happens" | "isSeen"> = {
  happens: "the model is not asked at all",
  isSeen: ({ model }) => model.requests.length === 0,
};

export const visits: Pick<Opening, "happens" | "isSeen"> = {
  happens: "another server is asked",
  isSeen: ({ stranger }) => stranger.countVisits() > 0,
};

/** A program that the model started in the background runs, and in no sandbox. */
export const starts: Pick<Opening, "happens" | "isSeen"> = {
  happens: "a process: sleep",
  isSeen: ({ ranOutside }) => ranOutside.some((line) => line.includes("sleep 300")),
};

/** The question, as it stands in a request. */
export function isAsked({ model }: Stage, prompt = QUESTION): boolean {
  return model.requests[0]?.text.includes(JSON.stringify(prompt).slice(1, -1)) === true;
}
