import { findChecks } from "../../lib/commands/find-checks.ts";
import { describePattern } from "../../lib/commands/explain/describe-pattern.ts";
import { toolCases, tools } from "../../lib/commands/tools/index.ts";
import type { Tool } from "../../lib/commands/tools/tool.ts";

const TABLE_START = "<!-- begin of the table: npm run tools-table writes it -->";
const TABLE_END = "<!-- end of the table -->";

/** A README with the table of tools put between its two marks. */
export function putTable(readme: string): string {
  const from = readme.indexOf(TABLE_START);
  const to = readme.indexOf(TABLE_END);
  if (from < 0 || to < from) throw new Error(`expected the marks ${TABLE_START} and ${TABLE_END}, got none`);
  return `${readme.slice(0, from)}${TABLE_START}\n\n${makeTable()}\n\n${readme.slice(to)}`;
}

/** One row a tool: what is recognised, and which of its lines say pass, fail or nothing. */
function makeTable(): string {
  const sorted = [...tools].sort((a, b) => (a.id < b.id ? -1 : 1));
  return [
    "| tool | recognised forms | pass | fail | unknown |",
    "| --- | --- | --- | --- | --- |",
    ...sorted.map(makeRow),
  ].join("\n");
}

function makeRow(tool: Tool): string {
  const { fail = [], loose = [], problem = [], pass = [], unfinished = [], nothing = [] } = tool.lines;
  const docs = toolCases.map((cases) => cases.docs[tool.id]).find((link) => link !== undefined);
  const name = docs === undefined ? tool.id : `[${tool.id}](${docs})`;
  const statuses = (tool.nothingStatus ?? []).map((status) => `status ${status}`);
  const others = tool.runsOthers === true ? ["what any tool here prints, or words such as `N failed`"] : [];
  const cells = [
    name,
    listForms(tool),
    listPatterns(pass, [...others, ...(tool.silent === true ? ["no output"] : [])]),
    listPatterns([...fail, ...loose, ...problem], others),
    listPatterns([...unfinished, ...nothing], [...others, ...statuses]),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** A tool without a list of names is shown by its cases. */
function listForms(tool: Tool): string {
  const examples = tool.calls.length > 0 ? [] : findExamples(tool);
  const forms = [...tool.calls, ...examples].map(quote).join(", ");
  const start = tool.calls.length > 0 ? "" : "such as ";
  const only = tool.onlyWith === undefined ? "" : `; only with ${tool.onlyWith.map(quote).join(" or ")}`;
  const never = tool.not === undefined ? "" : `; not ${tool.not.map(quote).join(", ")}`;
  return `${start}${forms}${only}${never}`;
}

const MOST_EXAMPLES = 6;

function findExamples(tool: Tool): readonly string[] {
  return toolCases
    .flatMap(({ checks }) => Object.keys(checks))
    .filter((command) => findChecks(command)[0]?.tool === tool.id)
    .slice(0, MOST_EXAMPLES);
}

const MOST_PATTERNS = 4;

function listPatterns(patterns: readonly RegExp[], others: readonly string[]): string {
  const texts = [...new Set(patterns.map(describePattern))];
  const shown = texts.slice(0, MOST_PATTERNS).map(quote);
  return [...others, ...shown, ...(texts.length > shown.length ? ["…"] : [])].join("<br>") || "only its status";
}

function quote(text: string): string {
  const fence = text.includes("`") ? "``" : "`";
  return `${fence}${text.replaceAll("|", String.raw`\|`)}${fence}`;
}
