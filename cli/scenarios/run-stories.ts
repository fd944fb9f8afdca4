import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { compareStory, type Difference } from "./compare.ts";
import { playStory, type PlayOptions } from "./play-story.ts";
import type { Skill } from "./read-skills.ts";
import type { Client, Story } from "./story-schema.ts";

export interface FiledStory {
  readonly file: string;
  readonly story: Story;
}

/** How a story went, once for each client that can tell it. */
export interface PlayedStory extends FiledStory {
  readonly results: readonly ClientResult[];
}

export interface ClientResult {
  readonly client: Client;
  readonly differences: readonly Difference[];
}

interface RunOptions extends Omit<PlayOptions, "root" | "client"> {
  /** The folder in which scratch folders are made. */
  readonly scratchParent: string;
  readonly skills: readonly Skill[];
}

/** A judge that starts and ends waits more than it works. */
const AT_ONCE = 8;

/** Plays stories, several at a time, and gives each, in their order, when it is over. */
export async function* runStories(stories: readonly FiledStory[], options: RunOptions): AsyncGenerator<PlayedStory> {
  const running: Promise<PlayedStory>[] = [];
  for (const story of stories) {
    const first = running.length === AT_ONCE ? running.shift() : undefined;
    if (first !== undefined) yield await first;
    running.push(runStory(story, options));
  }
  for (const each of running) yield await each;
}

async function runStory({ file, story }: FiledStory, options: RunOptions): Promise<PlayedStory> {
  const clients: readonly Client[] = story.client === undefined ? ["claude", "codex"] : [story.client];
  const results: ClientResult[] = [];
  for (const client of clients) results.push({ client, differences: await playInScratch(story, client, options) });
  return { file, story, results };
}

async function playInScratch(story: Story, client: Client, options: RunOptions): Promise<readonly Difference[]> {
  const root = mkdtempSync(join(options.scratchParent, "catstack-scenario-"));
  try {
    return compareStory(story, await playStory(story, { ...options, root, client }), options.skills);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
