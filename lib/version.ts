/** Set by build.mjs. */
declare const CATSTACK_VERSION: string | undefined;

/** The version of this build. */
export const version = typeof CATSTACK_VERSION === "string" ? CATSTACK_VERSION : "(run from source)";
