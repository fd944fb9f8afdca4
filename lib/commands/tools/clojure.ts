import type { Call } from "../shell/call.ts";
import type { Match, Tool, ToolCases } from "./tool.ts";

/** Clojure: Leiningen and the Clojure CLI. */

export const clojureTools: readonly Tool[] = [
  {
    id: "clojure test",
    kind: "test",
    calls: ["lein test", "lein check"],
    eachCall: true,
    match: { programs: ["clj", "cljs", "clojure"], find: findAlias },
    operands: "filters",
    flags: {},
    lines: {
      fail: [
        /^[1-9]\d* failures?, \d+ errors?\.$/,
        /^\d+ failures?, [1-9]\d* errors?\.$/,
        /^Tests failed\.$/,
        /^Syntax error /,
      ],
      pass: [/^0 failures, 0 errors\.$/],
      nothing: [/^Ran 0 tests /],
    },
  },
];

/** `clojure -X:test`, `clj -M:dev:test`: the names behind the letter are aliases of the project. */
function findAlias(call: Call): Match | undefined {
  const alias = call.args.find((arg) => /^-[XMT](?::[\w-]+)*:(?:test|kaocha|lint)\b/.test(arg));
  if (!/^clo?j(?:ure)?$/.test(call.program) || alias === undefined) return undefined;
  const args = call.args.filter((arg) => arg !== alias);
  return { name: `clojure ${alias}`, args, cwd: call.cwd, project: call.project };
}

export const clojureCases: ToolCases = {
  docs: { "clojure test": "https://clojure.org/guides/deps_and_cli" },
  checks: { "lein test": "lein test", "clj -M:dev:test": "clojure -M:dev:test" },
  ignored: ["lein run", "lein deps", "clojure -M:dev"],
  different: [["lein test app.a-test", "lein test app.b-test"]],
  outputs: [
    {
      command: "lein test | tail -2",
      text: "Ran 9 tests containing 20 assertions.\n0 failures, 0 errors.",
      verdict: "pass",
    },
    {
      command: "lein test | tail -2",
      text: "Ran 9 tests containing 20 assertions.\n1 failures, 0 errors.",
      verdict: "fail",
    },
    { command: "lein test", text: "", status: 1, verdict: "fail" },
  ],
};
