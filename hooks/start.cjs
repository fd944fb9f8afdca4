// Loads the bundle. One that is missing, cut short by a full disk or too new for this Node ends here in silence, not as a stack
// trace in the person's turn.
import("./hook.mjs").catch(() => {});
