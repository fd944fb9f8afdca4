// What a watcher ends with besides 0: codes of sysexits, which supervisors know.

/** A mistake of our own. */
export const EXIT_INTERNAL = 70;
/** What failed may work at the next try; also where another build is to be started. */
export const EXIT_TEMPORARY = 75;
/** The state directory cannot be written. */
export const EXIT_PERMISSION = 77;
/** A person has to correct something: starting it again helps nobody. */
export const EXIT_CONFIGURATION = 78;
