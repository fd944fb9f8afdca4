// What the hooks ask of the verifier library. The build makes a bundle of its own of it: a turn without a check does not load it.
export { findChecks } from "./find-checks.ts";
export { getVerdicts } from "./get-verdicts.ts";
export { findTreeMoves } from "./tree-moves.ts";
