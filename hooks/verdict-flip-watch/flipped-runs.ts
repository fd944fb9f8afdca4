import type { RanStep } from "../../lib/cases/story.ts";

/** Runs in the order they were made. `+` passed, `-` failed, `.` is no check; every one is at /home/user/project unless it says otherwise. */
export type Runs = readonly (readonly ["+" | "-" | ".", string])[];

/** Steps of the runs, told by exit status alone. */
export function toSteps(runs: Runs): readonly RanStep[] {
  return runs.map(([sign, ran]) => (sign === "-" ? { ran, exitCode: 1 } : { ran }));
}

interface FlippedRuns {
  /** Of `silent`: the runs that look most alike and are no flip. */
  readonly unlike: string;
  readonly runs: Runs;
}

/** The last failure is a flip of the target named first. */
export const flipped: Readonly<Record<string, FlippedRuns>> = {
  "pytest tests/a.py: a part fails after the whole passed": {
    unlike: "the whole passes after a part failed",
    runs: [
      ["+", "pytest"],
      ["-", "pytest tests/a.py"],
    ],
  },
  "pytest: a part that passes does not repair the whole": {
    unlike: "the whole passes after a part failed",
    runs: [
      ["+", "pytest"],
      ["-", "pytest"],
      ["+", "pytest tests/a.py"],
    ],
  },
  "go test ./...: one package that passes does not repair all": {
    unlike: "a wider run passes",
    runs: [
      ["+", "go test ./..."],
      ["-", "go test ./..."],
      ["+", "go test ./internal/push"],
    ],
  },
  "npm test: a member's script does not repair the root's": {
    unlike: "a task passes from a folder below",
    runs: [
      ["+", "npm test"],
      ["-", "npm test"],
      ["+", "cd packages/api && npm test"],
    ],
  },
  "npm test: a tool run on one file does not repair the script": {
    unlike: "the tool passes that a script may run",
    runs: [
      ["+", "npm test"],
      ["-", "npm test"],
      ["+", "npx vitest run src/a.test.ts"],
    ],
  },
  "npm test: a script for a part does not repair the script for all": {
    unlike: "a script for all passes after one for a part failed",
    runs: [
      ["+", "npm test"],
      ["-", "npm test"],
      ["+", "npm run test:unit"],
    ],
  },
  "npm run lint: another kind of work repairs nothing": {
    unlike: "tests compile what they test",
    runs: [
      ["+", "npm run lint"],
      ["-", "npm run lint"],
      ["+", "npm test"],
    ],
  },
  "eslint: each check of a line is a run of its own": {
    unlike: "the same check passes as part of a longer line",
    runs: [
      ["+", "npx tsc --noEmit && npx eslint ."],
      ["+", "npx tsc --noEmit"],
      ["-", "npx eslint ."],
    ],
  },
  "npm test: a fixer is no check": {
    unlike: "the same check passes as part of a longer line",
    runs: [
      ["+", "npm test"],
      ["-", "npm test"],
      [".", "npx eslint --fix ."],
    ],
  },
  "npm test: settings that only say how to print": {
    unlike: "a setting that the pass had not",
    runs: [
      ["+", "npm test"],
      ["-", "CI=1 FORCE_COLOR=0 npm test"],
    ],
  },
  "check_e2e.sh: the same exported setting": {
    unlike: "a setting with another value",
    runs: [
      ["+", "export MODE=fast && ./check_e2e.sh"],
      ["-", "MODE=fast ./check_e2e.sh"],
    ],
  },
  "check_e2e.sh: a pass with another value of a setting repairs nothing": {
    unlike: "a setting with another value",
    runs: [
      ["+", "MODE=fast ./check_e2e.sh"],
      ["-", "MODE=fast ./check_e2e.sh"],
      ["+", "MODE=slow ./check_e2e.sh"],
    ],
  },
  "cargo test: a new branch begins with the files as they are": {
    unlike: "another branch",
    runs: [
      ["+", "cargo test"],
      [".", "git checkout -b feature"],
      ["-", "cargo test"],
    ],
  },
  "cargo test: back from a bisection": {
    unlike: "an earlier commit was looked for",
    runs: [
      ["+", "cargo test"],
      [".", "git bisect start HEAD v1.0"],
      [".", "git bisect good"],
      [".", "git bisect bad"],
      [".", "git bisect reset"],
      ["-", "cargo test"],
    ],
  },
  "cargo test: a stash that was taken out again": {
    unlike: "the work is put aside",
    runs: [
      ["+", "cargo test"],
      [".", "git stash"],
      ["-", "cargo test"],
      [".", "git stash pop"],
      ["-", "cargo test"],
    ],
  },
  "cargo test: back on the branch": {
    unlike: "back where a new branch began",
    runs: [
      ["+", "cargo test"],
      [".", "git switch main"],
      [".", "git switch -"],
      ["-", "cargo test"],
    ],
  },
  "cargo test: a lock file that is brought back undoes no work": {
    unlike: "the files are brought back after the failure",
    runs: [
      ["+", "cargo test"],
      ["-", "cargo test"],
      [".", "git checkout -- Cargo.lock"],
    ],
  },
  "cargo test: a file that is taken out of the index alone": {
    unlike: "the files are brought back after the failure",
    runs: [
      ["+", "cargo test"],
      ["-", "cargo test"],
      [".", "git restore --staged src/lib.rs"],
    ],
  },
  "check.sh: from another folder": {
    unlike: "another folder",
    runs: [
      ["+", "scripts/check.sh"],
      ["-", "cd scripts && ./check.sh"],
    ],
  },
  "npm test tests/a.test.ts: a part of what a script runs": {
    unlike: "a script with an argument",
    runs: [
      ["+", "npm test"],
      ["-", "npm test -- tests/a.test.ts"],
    ],
  },
  "cargo test api: a member fails after the whole workspace passed": {
    unlike: "the script of that name in another member",
    runs: [
      ["+", "cargo test"],
      ["-", "cargo test -p api"],
    ],
  },
  "go test ./...: a mutation that was put back hides no failure before it": {
    unlike: "the work is put aside within one line",
    runs: [
      ["+", "go test ./..."],
      ["-", "go test ./..."],
      ["-", "git stash; go test ./...; git stash pop"],
    ],
  },
};
