import { actionlintTools } from "./actionlint.ts";
import { bazelTools } from "./bazel.ts";
import { biomeTools } from "./biome.ts";
import { blackTools } from "./black.ts";
import { bunTools } from "./bun.ts";
import { cargoTools } from "./cargo.ts";
import { ciTools } from "./ci.ts";
import { cmakeTools } from "./cmake.ts";
import { cueTools } from "./cue.ts";
import { denoTools } from "./deno.ts";
import { dotnetTools } from "./dotnet.ts";
import { elixirTools } from "./elixir.ts";
import { eslintTools } from "./eslint.ts";
import { flake8Tools } from "./flake8.ts";
import { gitTools } from "./git.ts";
import { goTools } from "./go.ts";
import { gofmtTools } from "./gofmt.ts";
import { golangciLintTools } from "./golangci-lint.ts";
import { hadolintTools } from "./hadolint.ts";
import { jestTools } from "./jest.ts";
import { jvmTools } from "./jvm.ts";
import { knipTools } from "./knip.ts";
import { markdownlintTools } from "./markdownlint.ts";
import { mochaTools } from "./mocha.ts";
import { mypyTools } from "./mypy.ts";
import { nodeTools } from "./node.ts";
import { ownCommandTools } from "./own-command.ts";
import { oxlintTools } from "./oxlint.ts";
import { packageScriptTools } from "./package-script.ts";
import { phpunitTools } from "./phpunit.ts";
import { playwrightTools } from "./playwright.ts";
import { preCommitTools } from "./pre-commit.ts";
import { prettierTools } from "./prettier.ts";
import { pyCompileTools } from "./py-compile.ts";
import { pytestTools } from "./pytest.ts";
import { rspecTools } from "./rspec.ts";
import { rubocopTools } from "./rubocop.ts";
import { ruffTools } from "./ruff.ts";
import { scriptTools } from "./script.ts";
import { shellTools } from "./shell.ts";
import { stylelintTools } from "./stylelint.ts";
import { swiftTools } from "./swift.ts";
import { tapTools } from "./tap.ts";
import { taskTools } from "./task.ts";
import { terraformTools } from "./terraform.ts";
import { toxTools } from "./tox.ts";
import { typescriptTools } from "./typescript.ts";
import { unittestTools } from "./unittest.ts";
import { vitePlusTools } from "./vite-plus.ts";
import { viteTools } from "./vite.ts";
import { vitestTools } from "./vitest.ts";
import { zigTools } from "./zig.ts";
import type { Tool } from "./tool.ts";

/**
 * Every tool, by file. The order matters only among tools with a matcher, which are asked one after the other: the one that
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
