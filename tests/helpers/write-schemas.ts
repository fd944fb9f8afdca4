// Writes inbox-schema/*.schema.json anew: node --import tsx tests/helpers/write-schemas.ts
import { writeFileSync } from "node:fs";
import { getJsonSchemas } from "../../inbox-schema/json-schema.ts";

for (const [name, schema] of Object.entries(getJsonSchemas())) {
  writeFileSync(new URL(`../../inbox-schema/${name}`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);
}
