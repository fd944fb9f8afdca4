import type { Hook } from "../lib/hook.ts";
import diuStop from "./diu-stop/rule.ts";
import unverifiedTagCheck from "./unverified-tag-check/rule.ts";
import verdictFlipWatch from "./verdict-flip-watch/rule.ts";
import wrongCheckReflect from "./wrong-check-reflect/rule.ts";

/** Every hook, sorted by id. Listed by hand: the bundle finds nothing at run time, and a new hook is a visible line. */
export const hooks: readonly Hook[] = [diuStop, unverifiedTagCheck, verdictFlipWatch, wrongCheckReflect];
