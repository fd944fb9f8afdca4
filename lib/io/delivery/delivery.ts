import { chmodSync, lstatSync } from "node:fs";
import { join } from "node:path";
import {
  fitsContext,
  getDeliveryKey,
  renderBurial,
  renderDelivery,
  type Delivery,
} from "../../delivery/render-delivery.ts";
import {
  buryClaim,
  closeDelivering,
  DELIVERED_MODE,
  moveClaim,
  openDelivering,
  readClaim,
  restoreAbandoned,
} from "./delivering.ts";
import { crashAt } from "../crash-point.ts";
import { listDir } from "../list-dir.ts";
import type { StatePaths } from "../paths.ts";
import { makePrivateDir, unlinkQuietly } from "../publish-file.ts";

/** Verdicts that this process has claimed: nobody else prints them. */
export interface Claims {
  readonly deliveries: readonly Delivery[];
  /** To be called once they are with the harness: they are never printed again. */
  commit(): void;
  /** To be called when they could not be printed: the next prompt prints them. */
  putBack(): void;
}

interface Claim {
  readonly path: string;
  /** Where it lay. */
  readonly home: string;
  readonly delivery: Delivery;
}

/** So many verdicts are looked at in one prompt; of the rest, those that say the same are told with them, and others wait for the next. */
const MAX_CLAIMS = 50;
/** A prompt waits for this: some tenths of a second. */
const MAX_ALIKE = 2000;
/** When so many of the rest say something else, no more of them are looked at. */
const MAX_OTHERS = 50;

/** What a claim needs to know besides the transcript. */
export interface ClaimOptions {
  readonly paths: StatePaths;
  readonly now: Date;
  /** The ids of the hooks that tell the person at once what they prove. */
  readonly ownHooks: readonly string[];
}

/** Claims the verdicts of one transcript, oldest first, as many as one prompt can hold. Throws the system's error. */
export function claimVerdicts(transcriptKey: string, options: ClaimOptions): Claims {
  const { paths, now } = options;
  restoreAbandoned(paths, now);
  const home = join(paths.undelivered, transcriptKey);
  const names = listOldestFirst(home).slice(0, MAX_ALIKE);
  if (names.length === 0) return { deliveries: [], commit: () => {}, putBack: () => {} };
  const folder = openDelivering(paths);
  const claims: Claim[] = [];
  const buried: string[] = [];
  const putBack = (): void => {
    makePrivateDir(home);
    for (const claim of claims) {
      moveClaim(claim.path, claim.home);
      crashAt("D4 put back");
    }
    closeDelivering(folder);
  };
  const told = new Set<string>();
  let isFull = false;
  let others = 0;
  try {
    for (const [index, name] of names.entries()) {
      isFull ||= index >= MAX_CLAIMS;
      if (isFull && !isToldAlready(join(home, name), told, options)) {
        others += 1;
        if (others < MAX_OTHERS) continue;
        break;
      }
      const claim = claimOne(join(home, name), join(folder, name), name, options);
      if (typeof claim === "string") buried.push(claim);
      if (claim === undefined || typeof claim === "string") continue;
      const key = getDeliveryKey(claim.delivery);
      if (!told.has(key) && !fits(claims, claim)) {
        moveClaim(claim.path, claim.home);
        isFull = true;
        continue;
      }
      told.add(key);
      claims.push(claim);
    }
  } catch (error) {
    putBack();
    throw error;
  }
  const commit = (): void => {
    crashAt("D2 printed");
    for (const { path } of claims) markDelivered(path);
    closeDelivering(folder);
    crashAt("D3 folder removed");
  };
  const deliveries = claims.map(({ delivery }) => delivery);
  return { deliveries: [...deliveries, ...renderBurial(buried)], commit, putBack };
}

/** Looks at a verdict where it lies: to move each of many there and back would take longer. */
function isToldAlready(path: string, told: ReadonlySet<string>, { ownHooks }: ClaimOptions): boolean {
  const found = readClaim(path);
  return found?.ok === true && told.has(getDeliveryKey(renderDelivery(found.verdict, ownHooks)));
}

/** For what is no verdict, where it lies now; undefined when somebody else has claimed it. */
function claimOne(home: string, path: string, name: string, options: ClaimOptions): Claim | string | undefined {
  const { paths, now, ownHooks } = options;
  if (!moveClaim(home, path)) return undefined;
  crashAt("D1 claimed");
  const found = readClaim(path);
  if (found === undefined) return undefined;
  if (found.ok) return { path, home, delivery: renderDelivery(found.verdict, ownHooks) };
  try {
    return buryClaim(path, name, found.reason, paths, now);
  } catch {
    // It must not keep the others back; the next prompt tries again.
    moveClaim(path, home);
    return home;
  }
}

function fits(claims: readonly Claim[], { delivery }: Claim): boolean {
  const findings = claims.flatMap((claim) => claim.delivery.agent ?? []);
  return delivery.agent === undefined || fitsContext(findings, delivery.agent);
}

function markDelivered(path: string): void {
  try {
    chmodSync(path, DELIVERED_MODE);
    crashAt("D3 marked");
  } catch {
    // Someone else's file: without the mark the judge may queue it again after a crash of its own.
  }
  unlinkQuietly(path);
}

/** Behind a link lie files that are not ours to move. */
function listOldestFirst(folder: string): readonly string[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return listDir(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => ({ name, time: lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => a.time - b.time)
    .map(({ name }) => name);
}
