import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { targets } from "./clients/safety/target.ts";

/** The rows of the table under a header, cell by cell, without the header. */
function readTable(page: string, header: string): readonly (readonly string[])[] {
  const [, table = ""] = readPage(page).split(`| ${header} |\n`);
  const lines = table.split("\n\n", 1)[0]?.trim().split("\n").slice(1) ?? [];
  return lines.map((line) => line.slice(2, -2).split(" | "));
}

function readPage(page: string): string {
  return readFileSync(new URL(`../${page}`, import.meta.url), "utf8");
}

test("the page of the clients has a row for each hostile case, and nothing came of any", () => {
  const rows = readTable("tests/clients/README.md", "client | meets | what came of it");
  assert.deepEqual(
    rows.map(([client, meets]) => [client, meets]),
    targets.flatMap(({ client, cases }) => cases.map(({ name }) => [client.name, name])),
  );
  for (const [, meets, outcome = ""] of rows) assert.match(outcome, /^nothing in \d+ calls$/, meets);
});

test("the page of the clients has a row for each switch that is left out", () => {
  const sorted = (rows: readonly (readonly string[])[]): readonly string[] =>
    rows.map((cells) => cells.join(" | ")).toSorted();
  assert.deepEqual(
    sorted(readTable("tests/clients/README.md", "client | left out | meets | then")),
    sorted(
      targets.flatMap(({ client, openings }) =>
        openings.map(({ without, meets, happens }) => [client.name, without, meets, happens]),
      ),
    ),
  );
});

test("the README's kinds of hostile cases count every one", () => {
  const rows = readTable("README.md", "what the client meets | cases | what came of it | kept out by");
  assert.ok(rows.length > 0);
  const count = rows.reduce((sum, [, cases = ""]) => sum + Number(cases), 0);
  assert.equal(
    count,
    targets.reduce((sum, { cases }) => sum + cases.length, 0),
  );
  for (const [kind, , outcome] of rows) assert.equal(outcome, "nothing", kind);
});
