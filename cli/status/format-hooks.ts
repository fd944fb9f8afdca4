import { describePrecision, getHitPrecision, hasEnoughLabels } from "../stats/precision.ts";
import { toPercent } from "../../lib/score/score.ts";
import { getModeVariable } from "../../lib/settings.ts";
import { toPlainLine } from "../../lib/plain-line.ts";
import { formatAge } from "../plain-text.ts";
import type { HooksFound, HookStatus } from "./hook-status.ts";

type Row = readonly [name: string, value: string];

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A line a hook; then, once for all of them, how to turn on those that only observe and how to label. */
export function toHookRows({ hooks, settingsPath, warnings }: HooksFound, now: Date): Row[] {
  const width = Math.max(...hooks.map(({ id }) => id.length));
  const rows = hooks.map((hook): Row => {
    return ["hook", `${hook.id.padEnd(width)}  ${hook.mode.padEnd(7)}  ${describeHook(hook, now)}`.trimEnd()];
  });
  return [
    ...rows,
    ...warnings.map((warning): Row => ["settings", toPlainLine(warning)]),
    ...toTurnOnRows(hooks, settingsPath),
    ...(hooks.some(wantsLabels)
      ? [["label", "hits with `catstack verdicts label ID right|wrong`: `catstack stats` counts them"] as const]
      : []),
  ];
}

function describeHook(hook: HookStatus, now: Date): string {
  const { mode, setBy } = hook;
  const did = mode === "off" ? "" : mode === "observe" ? describeObserved(hook, now) : describeVerdicts(hook, now);
  return [did, setBy === null ? "" : `by ${setBy}`].filter((what) => what !== "").join("; ");
}

function describeObserved({ tally: { observed } }: HookStatus, now: Date): string {
  const { said, asked, since } = observed;
  if (said + asked === 0) return "";
  const counts = `would have said ${said}, asked ${asked}`;
  if (since === null) return counts;
  const perDay = findAsksADay(observed, now);
  const rate = perDay === null || asked === 0 ? "" : `, ${describeRate(perDay)}`;
  return `${counts} in the last ${formatPeriod(since, now)}${rate}`;
}

/** Questions a day; null while it is observed for less than a day, or since nobody knows when. */
export function findAsksADay({ asked, since }: HookStatus["tally"]["observed"], now: Date): number | null {
  if (since === null) return null;
  const days = (now.getTime() - Date.parse(since)) / DAY_MS;
  return days < 1 ? null : asked / days;
}

function describeRate(perDay: number): string {
  const count = Math.round(perDay);
  if (perDay < 1) return "less than 1 question a day";
  return `about ${count} ${count === 1 ? "question" : "questions"} a day`;
}

function describeVerdicts({ tally: { verdicts, labels } }: HookStatus, now: Date): string {
  const { hit, clean, unchecked, since } = verdicts;
  const count = hit + clean + unchecked;
  const precision = getHitPrecision(labels.hit);
  const measured = precision.n === 0 && count === 0 ? "" : `, hit precision: ${describePrecision(precision)}`;
  if (since === null) return `no verdict${measured}`;
  const share = unchecked === 0 ? "" : ` (${toPercent(unchecked / count)})`;
  return `${count} ${count === 1 ? "verdict" : "verdicts"} in the last ${formatPeriod(since, now)}, ${unchecked} unchecked${share}${measured}`;
}

/** What is a few seconds old, or of a clock that was set back, tells of no period. */
function formatPeriod(since: string, now: Date): string {
  const ms = now.getTime() - Date.parse(since);
  return ms < MINUTE_MS ? "minute" : formatAge(ms);
}

function toTurnOnRows(hooks: readonly HookStatus[], settingsPath: string): Row[] {
  const [first, ...others] = hooks.filter(({ mode, setBy }) => mode === "observe" && setBy === null);
  if (first === undefined) return [];
  const setting = JSON.stringify({ hooks: { [first.id]: { mode: "advise" } } });
  const alike = others.length === 0 ? "" : "; the others alike";
  return [["turn on", `${setting} in ${settingsPath}, or ${getModeVariable(first.id)}=advise${alike}`]];
}

function wantsLabels({ mode, tally: { verdicts, labels } }: HookStatus): boolean {
  return mode === "advise" && verdicts.hit > 0 && !hasEnoughLabels(getHitPrecision(labels.hit));
}
