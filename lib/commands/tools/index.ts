import { actionlintCases, actionlintTools } from "./actionlint.ts";
import { bazelCases, bazelTools } from "./bazel.ts";
import { biomeCases, biomeTools } from "./biome.ts";
import { blackCases, blackTools } from "./black.ts";
import { bunCases, bunTools } from "./bun.ts";
import { cargoCases, cargoTools } from "./cargo.ts";
import { ciCases, ciTools } from "./ci.ts";
import { clojureCases, clojureTools } from "./clojure.ts";
import { cmakeCases, cmakeTools } from "./cmake.ts";
import { compiledCases, compiledTools } from "./compiled.ts";
import { cppLintCases, cppLintTools } from "./cpp-lint.ts";
import { cueCases, cueTools } from "./cue.ts";
import { dartCases, dartTools } from "./dart.ts";
import { dataCases, dataTools } from "./data.ts";
import { denoCases, denoTools } from "./deno.ts";
import { dotnetCases, dotnetTools } from "./dotnet.ts";
import { elixirCases, elixirTools } from "./elixir.ts";
import { erlangCases, erlangTools } from "./erlang.ts";
import { eslintCases, eslintTools } from "./eslint.ts";
import { flake8Cases, flake8Tools } from "./flake8.ts";
import { gitCases, gitTools } from "./git.ts";
import { goCases, goTools } from "./go.ts";
import { gofmtCases, gofmtTools } from "./gofmt.ts";
import { golangciLintCases, golangciLintTools } from "./golangci-lint.ts";
import { hadolintCases, hadolintTools } from "./hadolint.ts";
import { haskellCases, haskellTools } from "./haskell.ts";
import { httpCases, httpTools } from "./http.ts";
import { jestCases, jestTools } from "./jest.ts";
import { jvmCases, jvmTools } from "./jvm.ts";
import { knipCases, knipTools } from "./knip.ts";
import { luaCases, luaTools } from "./lua.ts";
import { markdownlintCases, markdownlintTools } from "./markdownlint.ts";
import { mochaCases, mochaTools } from "./mocha.ts";
import { mypyCases, mypyTools } from "./mypy.ts";
import { nodeCases, nodeTools } from "./node.ts";
import { ownCommandCases, ownCommandTools } from "./own-command.ts";
import { oxlintCases, oxlintTools } from "./oxlint.ts";
import { packageScriptCases, packageScriptTools } from "./package-script.ts";
import { perlCases, perlTools } from "./perl.ts";
import { phpunitCases, phpunitTools } from "./phpunit.ts";
import { playwrightCases, playwrightTools } from "./playwright.ts";
import { preCommitCases, preCommitTools } from "./pre-commit.ts";
import { prettierCases, prettierTools } from "./prettier.ts";
import { pyCompileCases, pyCompileTools } from "./py-compile.ts";
import { pytestCases, pytestTools } from "./pytest.ts";
import { rCases, rTools } from "./r.ts";
import { robotCases, robotTools } from "./robot.ts";
import { rspecCases, rspecTools } from "./rspec.ts";
import { rubocopCases, rubocopTools } from "./rubocop.ts";
import { ruffCases, ruffTools } from "./ruff.ts";
import { scriptCases, scriptTools } from "./script.ts";
import { securityCases, securityTools } from "./security.ts";
import { shellCases, shellTools } from "./shell.ts";
import { solidityCases, solidityTools } from "./solidity.ts";
import { spellingCases, spellingTools } from "./spelling.ts";
import { stylelintCases, stylelintTools } from "./stylelint.ts";
import { swiftCases, swiftTools } from "./swift.ts";
import { tapCases, tapTools } from "./tap.ts";
import { taskCases, taskTools } from "./task.ts";
import { terraformCases, terraformTools } from "./terraform.ts";
import { toxCases, toxTools } from "./tox.ts";
import { typescriptCases, typescriptTools } from "./typescript.ts";
import { unittestCases, unittestTools } from "./unittest.ts";
import { viteCases, viteTools } from "./vite.ts";
import { vitePlusCases, vitePlusTools } from "./vite-plus.ts";
import { vitestCases, vitestTools } from "./vitest.ts";
import { zigCases, zigTools } from "./zig.ts";
import type { Tool, ToolCases } from "./tool.ts";

/**
 * Every tool, by file. A new tool is a file like its neighbours, its import above, a line here and one below. The order matters only among tools with a matcher, which are asked one after the other: the one that
 * takes any program with a check-like word comes last.
 */
export const tools: readonly Tool[] = [
  ...actionlintTools,
  ...bazelTools,
  ...biomeTools,
  ...blackTools,
  ...bunTools,
  ...cargoTools,
  ...ciTools,
  ...clojureTools,
  ...cmakeTools,
  ...compiledTools,
  ...cppLintTools,
  ...cueTools,
  ...dartTools,
  ...dataTools,
  ...denoTools,
  ...dotnetTools,
  ...elixirTools,
  ...erlangTools,
  ...eslintTools,
  ...flake8Tools,
  ...gitTools,
  ...gofmtTools,
  ...golangciLintTools,
  ...goTools,
  ...hadolintTools,
  ...haskellTools,
  ...httpTools,
  ...jestTools,
  ...jvmTools,
  ...knipTools,
  ...luaTools,
  ...markdownlintTools,
  ...mochaTools,
  ...mypyTools,
  ...nodeTools,
  ...oxlintTools,
  ...packageScriptTools,
  ...perlTools,
  ...phpunitTools,
  ...playwrightTools,
  ...preCommitTools,
  ...prettierTools,
  ...pyCompileTools,
  ...pytestTools,
  ...robotTools,
  ...rspecTools,
  ...rTools,
  ...rubocopTools,
  ...ruffTools,
  ...scriptTools,
  ...securityTools,
  ...shellTools,
  ...solidityTools,
  ...spellingTools,
  ...stylelintTools,
  ...swiftTools,
  ...tapTools,
  ...taskTools,
  ...terraformTools,
  ...toxTools,
  ...typescriptTools,
  ...unittestTools,
  ...vitePlusTools,
  ...vitestTools,
  ...viteTools,
  ...zigTools,
  ...ownCommandTools,
];

/** What the tests try, by file. Bundles leave it out. */
export const toolCases: readonly ToolCases[] = [
  actionlintCases,
  bazelCases,
  biomeCases,
  blackCases,
  bunCases,
  cargoCases,
  ciCases,
  clojureCases,
  cmakeCases,
  compiledCases,
  cppLintCases,
  cueCases,
  dartCases,
  dataCases,
  denoCases,
  dotnetCases,
  elixirCases,
  erlangCases,
  eslintCases,
  flake8Cases,
  gitCases,
  goCases,
  gofmtCases,
  golangciLintCases,
  hadolintCases,
  haskellCases,
  httpCases,
  jestCases,
  jvmCases,
  knipCases,
  luaCases,
  markdownlintCases,
  mochaCases,
  mypyCases,
  nodeCases,
  ownCommandCases,
  oxlintCases,
  packageScriptCases,
  perlCases,
  phpunitCases,
  playwrightCases,
  preCommitCases,
  prettierCases,
  pyCompileCases,
  pytestCases,
  rCases,
  robotCases,
  rspecCases,
  rubocopCases,
  ruffCases,
  scriptCases,
  securityCases,
  shellCases,
  solidityCases,
  spellingCases,
  stylelintCases,
  swiftCases,
  tapCases,
  taskCases,
  terraformCases,
  toxCases,
  typescriptCases,
  unittestCases,
  viteCases,
  vitePlusCases,
  vitestCases,
  zigCases,
];
