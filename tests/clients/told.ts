import { isRecord } from "../../inbox-schema/describe.ts";
import type { Client } from "./client.ts";
import type { Person } from "./person.ts";

/** What the client has shown to the person and holds the phrase: Claude Code notes that in its transcript. Of Codex, all that it printed. */
export function findToldPerson({ name }: Client, person: Person, phrase: string): string[] {
  if (name === "codex") return person.printed.filter((text) => text.includes(phrase));
  return Object.values(person.readTranscripts())
    .flatMap((text) => text.split("\n"))
    .flatMap((line) => (line.includes("hook_system_message") ? findMessage(JSON.parse(line)) : []))
    .filter((message) => message.includes(phrase));
}

function findMessage(row: unknown): string[] {
  const attachment = isRecord(row) ? row["attachment"] : undefined;
  if (!isRecord(attachment) || attachment["type"] !== "hook_system_message") return [];
  return typeof attachment["content"] === "string" ? [attachment["content"]] : [];
}
