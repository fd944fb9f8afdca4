import { actionlintCases, actionlintTools } from "./actionlint.ts";
import { bazelCases, bazelTools } from "./bazel.ts";
import { biomeCases, biomeTools } from "./biome.ts";
import { blackCases, blackTools } from "./black.ts";
import { bunCases, bunTools } from "./bun.ts";
import { cargoCases, cargoTools } from "./cargo.ts";
import { ciCases, ciTools } from "./ci.ts";
import { cmakeCases, cmakeTools } from "./cmake.ts";
import { cueCases, cueTools } from "./cue.ts";
import { dartCases, dartTools } from "./dart.ts";
import { denoCases, denoTools } from "./deno.ts";
import { dotnetCases, dotnetTools } from "./dotnet.ts";
import { elixirCases, elixirTools } from "./elixir.ts";
import { eslintCases, eslintTools } from "./eslint.ts";
import { flake8Cases, flake8Tools } from "./flake8.ts";
import { gitCases, gitTools } from "./git.ts";
import { goCases, goTools } from "./go.ts";
import { gofmtCases, gofmtTools } from "./gofmt.ts";
import { golangciLintCases, golangciLintTools } from "./golangci-lint.ts";
import { hadolintCases, hadolintTools } from "./hadolint.ts";
import { jestCases, jestTools } from "./jest.ts";
import { jvmCases, jvmTools } from "./jvm.ts";
import { knipCases, knipTools } from "./knip.ts";
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
import { rspecCases, rspecTools } from "./rspec.ts";
import { rubocopCases, rubocopTools } from "./rubocop.ts";
import { ruffCases, ruffTools } from "./ruff.ts";
import { scriptCases, scriptTools } from "./script.ts";
import { shellCases, shellTools } from "./shell.ts";
import { stylelintCases, stylelintTools } from "./stylelint.ts";
import { swiftCases, swiftTools } from "./swift.ts";
import { tapCases, tapTools } from "./tap.ts";
import { taskCases, taskTools } from "./task.ts";
import { terraformCases, terraformTools } from "./terraform.ts";
import { toxCases, toxTools } from "./tox.ts";
import { typescriptCases, typescriptTools } from "./typescript.ts";
import { unittestCases, unittestTools } from "./unittest.ts";
import { vitePlusCases, vitePlusTools } from "./vite-plus.ts";
import { viteCases, viteTools } from "./vite.ts";
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
  ...cmakeTools,
  ...cueTools,
  ...dartTools,
  ...denoTools,
  ...dotnetTools,
  ...elixirTools,
  ...eslintTools,
  ...flake8Tools,
  ...gitTools,
  ...goTools,
  ...gofmtTools,
  ...golangciLintTools,
  ...hadolintTools,
  ...jestTools,
  ...jvmTools,
  ...knipTools,
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
  ...rspecTools,
  ...rubocopTools,
  ...ruffTools,
  ...scriptTools,
  ...shellTools,
  ...stylelintTools,
  ...swiftTools,
  ...tapTools,
  ...taskTools,
  ...terraformTools,
  ...toxTools,
  ...typescriptTools,
  ...unittestTools,
  ...vitePlusTools,
  ...viteTools,
  ...vitestTools,
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
  cmakeCases,
  cueCases,
  dartCases,
  denoCases,
  dotnetCases,
  elixirCases,
  eslintCases,
  flake8Cases,
  gitCases,
  goCases,
  gofmtCases,
  golangciLintCases,
  hadolintCases,
  jestCases,
  jvmCases,
  knipCases,
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
  rspecCases,
  rubocopCases,
  ruffCases,
  scriptCases,
  shellCases,
  stylelintCases,
  swiftCases,
  tapCases,
  taskCases,
  terraformCases,
  toxCases,
  typescriptCases,
  unittestCases,
  vitePlusCases,
  viteCases,
  vitestCases,
  zigCases,
];
