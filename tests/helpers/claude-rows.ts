export { claudeRows } from "../../cli/scenarios/tell/claude-rows.ts";
