import { measureListing } from "../bench/bursts.ts";
import { countNone, type Figure } from "../helpers/figures.ts";
import type { Site } from "./site.ts";

/** A deaf one lists by its clock alone: every 2 s, and then it has to get to it. */
const DEAF_BUDGET_MS = 10_000;

/** A burst of jobs, and what looks into the inbox: all are seen, once, whether or not the kernel tells of them. */
export async function soakListing(
  site: Site,
  { files, deaf }: { readonly files: number; readonly deaf: boolean },
): Promise<Figure[]> {
  const { listed, again, p50, p99, complaints } = await measureListing(site.folder, files, { deaf });
  const name = deaf ? "bursts, deaf" : "bursts";
  const isDeaf = complaints > 0;
  return [
    { name: `${name}: jobs linked into the inbox`, value: files, unit: "jobs" },
    { name: `${name}: missed`, value: files - listed, unit: "jobs", budget: 0 },
    { name: `${name}: seen again`, value: again, unit: "jobs", budget: 0 },
    { name: `${name}: linked to listed, p50`, value: p50, unit: "ms" },
    { name: `${name}: linked to listed, p99`, value: p99, unit: "ms", ...(deaf && { budget: DEAF_BUDGET_MS }) },
    countNone(
      "signs that it was deaf where it should hear, or the other way",
      "times",
      isDeaf === deaf ? [] : [`${complaints} complaints`],
    ),
  ];
}
