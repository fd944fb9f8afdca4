import { biomeTools } from "./biome.ts";
import { bunTools } from "./bun.ts";
import { cargoTools } from "./cargo.ts";
import { ciTools } from "./ci.ts";
import { compiledTools } from "./compiled.ts";
import { configFileTools } from "./config-files.ts";
import { denoTools } from "./deno.ts";
import { dynamicTools } from "./dynamic.ts";
import { eslintTools } from "./eslint.ts";
import { gitTools } from "./git.ts";
import { goTools } from "./go.ts";
import { jestTools } from "./jest.ts";
import { mochaTools } from "./mocha.ts";
import { nodeTools } from "./node.ts";
import { ownCommandTools } from "./own-commands.ts";
import { playwrightTools } from "./playwright.ts";
import { prettierTools } from "./prettier.ts";
import { pytestTools } from "./pytest.ts";
import { pythonTools } from "./python.ts";
import { runnerTools } from "./runners.ts";
import { scriptTools } from "./scripts.ts";
import { shellTools } from "./shell.ts";
import type { Tool } from "./tool.ts";
import { typescriptTools } from "./typescript.ts";
import { unittestTools } from "./unittest.ts";
import { viteTools } from "./vite.ts";
import { vitestTools } from "./vitest.ts";

/**
 * Every tool, by file. The order matters only among tools with a matcher, which are asked one after the other: the one that
 * takes any program with a check-like word comes last.
 */
export const tools: readonly Tool[] = [
  ...biomeTools,
  ...bunTools,
  ...cargoTools,
  ...ciTools,
  ...compiledTools,
  ...configFileTools,
  ...denoTools,
  ...dynamicTools,
  ...eslintTools,
  ...gitTools,
  ...goTools,
  ...jestTools,
  ...mochaTools,
  ...nodeTools,
  ...playwrightTools,
  ...prettierTools,
  ...pytestTools,
  ...pythonTools,
  ...runnerTools,
  ...scriptTools,
  ...shellTools,
  ...typescriptTools,
  ...unittestTools,
  ...viteTools,
  ...vitestTools,
  ...ownCommandTools,
];
