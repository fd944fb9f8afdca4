import type { RanStep } from "../../lib/cases/story.ts";

/** Runs in the order they were made. `+` passed, `-` failed, `.` is no check; every one is at /home/user/project unless it says otherwise. */
export type Runs = readonly (readonly ["+" | "-" | ".", string])[];

/** Steps of the runs, told by exit status alone. */
export function toSteps(runs: Runs): readonly RanStep[] {
  return runs.map(([sign, ran]) => (sign === "-" ? { ran, exitCode: 1 } : { ran }));
}

/** The last failure is a flip of the target named first. */
export const flipped: Readonly<Record<string, Runs>> = {
  "pytest tests/a.py: a part fails after the whole passed": [
    ["+", "pytest"],
    ["-", "pytest tests/a.py"],
  ],
  "pytest: a part that passes does not repair the whole": [
    ["+", "pytest"],
    ["-", "pytest"],
    ["+", "pytest tests/a.py"],
  ],
  "go test ./...: one package that passes does not repair all": [
    ["+", "go test ./..."],
    ["-", "go test ./..."],
    ["+", "go test ./internal/push"],
  ],
  "npm test: a member's script does not repair the root's": [
    ["+", "npm test"],
    ["-", "npm test"],
    ["+", "cd packages/api && npm test"],
  ],
  "npm test: a tool run on one file does not repair the script": [
    ["+", "npm test"],
    ["-", "npm test"],
    ["+", "npx vitest run src/a.test.ts"],
  ],
  "npm test: a script for a part does not repair the script for all": [
    ["+", "npm test"],
    ["-", "npm test"],
    ["+", "npm run test:unit"],
  ],
  "npm run lint: another kind of work repairs nothing": [
    ["+", "npm run lint"],
    ["-", "npm run lint"],
    ["+", "npm test"],
  ],
  "eslint: each check of a line is a run of its own": [
    ["+", "npx tsc --noEmit && npx eslint ."],
    ["+", "npx tsc --noEmit"],
    ["-", "npx eslint ."],
  ],
  "npm test: a fixer is no check": [
    ["+", "npm test"],
    ["-", "npm test"],
    [".", "npx eslint --fix ."],
  ],
  "npm test: settings that only say how to print": [
    ["+", "npm test"],
    ["-", "CI=1 FORCE_COLOR=0 npm test"],
  ],
  "check_e2e.sh: the same exported setting": [
    ["+", "export MODE=fast && ./check_e2e.sh"],
    ["-", "MODE=fast ./check_e2e.sh"],
  ],
  "cargo test: a new branch begins with the files as they are": [
    ["+", "cargo test"],
    [".", "git checkout -b feature"],
    ["-", "cargo test"],
  ],
  "cargo test: back from a bisection": [
    ["+", "cargo test"],
    [".", "git bisect start HEAD v1.0"],
    [".", "git bisect good"],
    [".", "git bisect bad"],
    [".", "git bisect reset"],
    ["-", "cargo test"],
  ],
  "cargo test: a stash that was taken out again": [
    ["+", "cargo test"],
    [".", "git stash"],
    ["-", "cargo test"],
    [".", "git stash pop"],
    ["-", "cargo test"],
  ],
  "cargo test: back on the branch": [
    ["+", "cargo test"],
    [".", "git switch main"],
    [".", "git switch -"],
    ["-", "cargo test"],
  ],
  "cargo test: a lock file that is brought back undoes no work": [
    ["+", "cargo test"],
    ["-", "cargo test"],
    [".", "git checkout -- Cargo.lock"],
  ],
  "cargo test: a file that is taken out of the index alone": [
    ["+", "cargo test"],
    ["-", "cargo test"],
    [".", "git restore --staged src/lib.rs"],
  ],
  "check.sh: from another folder": [
    ["+", "scripts/check.sh"],
    ["-", "cd scripts && ./check.sh"],
  ],
  "npm test tests/a.test.ts: a part of what a script runs": [
    ["+", "npm test"],
    ["-", "npm test -- tests/a.test.ts"],
  ],
  "cargo test api: a member fails after the whole workspace passed": [
    ["+", "cargo test"],
    ["-", "cargo test -p api"],
  ],
  "go test ./...: a mutation that was put back hides no failure before it": [
    ["+", "go test ./..."],
    ["-", "go test ./..."],
    ["-", "git stash; go test ./...; git stash pop"],
  ],
};
