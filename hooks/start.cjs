// Loads the bundle. One that is missing, cut short by a full disk or too new for this Node ends here in silence, not as a stack
// trace in the person's turn.
try {
  require("./hook.cjs");
} catch (error) {
  if (error.code === "MODULE_NOT_FOUND") import("./hook.mjs").catch(() => {});
}
