// npm run tools-table: writes the table of tools into the README of the verifier library.
import { readFileSync, writeFileSync } from "node:fs";
import { putTable } from "./tools-table.ts";

const readme = new URL("../../lib/commands/README.md", import.meta.url);
writeFileSync(readme, putTable(readFileSync(readme, "utf8")));
