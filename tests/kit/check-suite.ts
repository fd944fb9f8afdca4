import type { Case, Cases } from "../../lib/cases/case.ts";
import type { Hook } from "../../lib/hook.ts";
import { findNearest } from "../../lib/nearest.ts";
import type { Group } from "./check-case.ts";
import type { Problem } from "./problem.ts";

export const groups: readonly Group[] = ["silent", "advises", "enqueues"];

/** Fewer show nothing of where the border runs. */
const LEAST = 3;

/** What the cases of a hook lack as a whole; `said` are the ids of the messages that they have heard. */
export function checkSuite(hook: Hook, cases: Cases, said: ReadonlySet<string>): readonly Problem[] {
  const firing = [...cases.advises, ...cases.enqueues];
  return [
    ...checkCount("silent cases", cases.silent.length),
    ...checkCount("cases that fire", firing.length),
    ...findTwice(groups.flatMap((group) => cases[group].map(({ name }) => name))).map((name) => ({
      what: "names of cases",
      expected: "each once",
      got: name,
    })),
    ...findTwice(groups.flatMap((group) => cases[group].map((each) => `${group} ${tell(each)}`))).map((story) => ({
      what: "cases of one group",
      expected: "another story in each",
      got: story,
    })),
    ...checkNearMisses(cases.silent, firing),
    ...checkMessages(hook, said),
  ];
}

function checkCount(what: string, count: number): readonly Problem[] {
  return count >= LEAST ? [] : [{ what, expected: `at least ${LEAST}`, got: count }];
}

function findTwice(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.filter((text, i) => texts.indexOf(text) !== i))];
}

function tell({ name: _name, expect: _expect, nearMissOf: _nearMissOf, ...story }: Case): string {
  return JSON.stringify(story);
}

/** Every case that fires has a silent one beside it that nearly would: the two show where the border runs. */
function checkNearMisses(silent: readonly Case[], firing: readonly Case[]): readonly Problem[] {
  const names = firing.map(({ name }) => name);
  const missed = new Set(silent.flatMap(listNearMisses));
  return [
    ...firing
      .filter((each) => each.nearMissOf !== undefined)
      .map(({ name }) => ({
        what: "`nearMissOf`",
        expected: "on silent cases alone",
        got: `on "${name}", which fires`,
      })),
    ...[...missed]
      .filter((name) => !names.includes(name))
      .map((name) => ({ what: "`nearMissOf`", expected: suggest(name, names), got: name })),
    ...names
      .filter((name) => !missed.has(name))
      .map((name) => ({ what: "a silent case whose `nearMissOf` names this one", expected: name, got: undefined })),
  ];
}

function listNearMisses({ nearMissOf = [] }: Case): readonly string[] {
  return typeof nearMissOf === "string" ? [nearMissOf] : nearMissOf;
}

function suggest(name: string, names: readonly string[]): string {
  const near = findNearest(name, names);
  return `the name of a case that fires${near === undefined ? "" : `, such as "${near}"`}`;
}

function checkMessages({ messages }: Hook, said: ReadonlySet<string>): readonly Problem[] {
  return Object.keys(messages)
    .filter((id) => !said.has(id))
    .map((id) => ({ what: "a case that says this message", expected: id, got: undefined }));
}
