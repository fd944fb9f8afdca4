import type { Tool, ToolCases } from "./tool.ts";

/** Validators of data files. */

export const dataTools: readonly Tool[] = [
  {
    id: "jq empty",
    kind: "lint",
    calls: ["jq empty"],
    operands: "files",
    flags: {},
    silent: true,
    lines: { fail: [/^(?:jq: )?parse error: /], nothing: [/^jq: error: Could not open /] },
  },
  {
    id: "xmllint --noout",
    kind: "lint",
    calls: ["xmllint"],
    onlyWith: ["--noout"],
    operands: "files",
    flags: { config: "--schema= --dtdvalid= --relaxng= --valid", noise: "--noout" },
    silent: true,
    lines: {
      fail: [/ fails to validate$/, /^\S+:\d+: parser error : /],
      pass: [/ validates$/],
      nothing: [/^warning: failed to load external entity /],
    },
  },
  {
    id: "check-jsonschema",
    kind: "lint",
    calls: ["check-jsonschema", "ajv validate", "ajv"],
    operands: "files",
    flags: { config: "--schemafile= --builtin-schema= -s=", file: "-d=" },
    lines: {
      fail: [/^Schema validation errors were encountered\./, /^\S+ invalid$/],
      pass: [/^ok -- validation done$/, /^\S+ valid$/],
    },
  },
];

export const dataCases: ToolCases = {
  docs: {
    "jq empty": "https://jqlang.org/manual/",
    "xmllint --noout": "https://gnome.pages.gitlab.gnome.org/libxml2/xmllint.html",
    "check-jsonschema": "https://check-jsonschema.readthedocs.io/en/stable/usage.html",
  },
  checks: {
    "jq empty a.json": "jq empty a.json",
    "xmllint --noout a.xml": "xmllint --noout a.xml",
    "check-jsonschema --schemafile s.json a.json": "check-jsonschema a.json",
  },
  ignored: ["jq . a.json", "jq -r .version package.json", "xmllint --format a.xml", "cat a.json | jq ."],
  different: [["jq empty a.json", "jq empty b.json"]],
  outputs: [
    { command: "jq empty a.json", text: "", status: 0, verdict: "pass" },
    {
      command: "jq empty a.json 2>&1 | cat",
      text: "parse error: Expected separator between values at line 3, column 2",
      verdict: "fail",
    },
    {
      command: "xmllint --noout a.xml | cat",
      text: "a.xml:3: parser error : Opening and ending tag mismatch",
      verdict: "fail",
    },
    { command: "check-jsonschema --schemafile s.json a.json | tail", text: "ok -- validation done", verdict: "pass" },
  ],
};
