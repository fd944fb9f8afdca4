import type { Runs } from "./flipped-runs.ts";

/** Nothing is said: the failure is repaired, or belongs to another state of things than the pass. */
export const silent: Readonly<Record<string, Runs>> = {
  "the whole passes after a part failed": [
    ["+", "pytest"],
    ["-", "pytest tests/a.py"],
    ["+", "pytest"],
  ],
  "a wider run passes": [
    ["+", "go test ./internal/push"],
    ["-", "go test ./internal/push"],
    ["+", "go test ./internal/..."],
  ],
  "the same check passes as part of a longer line": [
    ["+", "npm run lint"],
    ["-", "npm run lint"],
    ["+", "cd /home/user/project && npm run fmt && npm run lint"],
  ],
  "a task passes from a folder below": [
    ["+", "mise run lint"],
    ["-", "mise run lint"],
    ["+", "cd cmd/app && mise run lint"],
  ],
  "a script passes from a source folder": [
    ["+", "npm run lint"],
    ["-", "npm run lint"],
    ["+", "cd src && npm run lint"],
  ],
  "the tool passes that a script may run": [
    ["+", "npm run lint"],
    ["-", "npm run lint"],
    ["+", "npx eslint ."],
  ],
  "the script passes that may run the tool": [
    ["+", "npx eslint src"],
    ["-", "npx eslint src"],
    ["+", "npm run lint"],
  ],
  "a task of another runner passes": [
    ["+", "npm test"],
    ["-", "npm test"],
    ["+", "make test"],
  ],
  "a script that runs everything passes": [
    ["+", "npx tsc --noEmit"],
    ["-", "npx tsc --noEmit"],
    ["+", "npm run check"],
  ],
  "a script for all passes after one for a part failed": [
    ["+", "npm run test:unit"],
    ["-", "npm run test:unit"],
    ["+", "npm run test:ci"],
  ],
  "the build checks types": [
    ["+", "npx tsc --noEmit"],
    ["-", "npx tsc --noEmit"],
    ["+", "npm run build"],
  ],
  "tests compile what they test": [
    ["+", "go build ./..."],
    ["-", "go build ./..."],
    ["+", "go test ./..."],
  ],
  "a script and a tool may be different checks": [
    ["+", "npm test"],
    ["-", "npx vitest run"],
  ],
  "two scripts of one runner": [
    ["+", "npm run test:unit"],
    ["-", "npm run test:e2e"],
  ],
  "another file than the one that passed": [
    ["+", "pytest tests/a.py"],
    ["-", "pytest tests/b.py"],
  ],
  "another folder": [
    ["+", "cd /home/user/project && npm test"],
    ["-", "cd /home/user/other && npm test"],
  ],
  "the script of that name in a folder below": [
    ["+", "npm test"],
    ["-", "cd packages/api && npm test"],
  ],
  "the script of that name in another member": [
    ["+", "npm test"],
    ["-", "npm test -w api"],
  ],
  "a tool that takes its configuration from a folder below": [
    ["+", "npx vitest run"],
    ["-", "cd packages/api && npx vitest run"],
  ],
  "another configuration file": [
    ["+", "npx vitest run --config vitest.unit.ts"],
    ["-", "npx vitest run"],
  ],
  "a flag that makes the pass a laxer one": [
    ["+", "npx tsc --noEmit --skipLibCheck"],
    ["-", "npx tsc --noEmit"],
  ],
  "tests that were collected only": [
    ["+", "pytest --collect-only"],
    ["-", "pytest"],
  ],
  "a single file, with which the compiler reads no project": [
    ["+", "npx tsc --noEmit"],
    ["-", "npx tsc --noEmit src/a.ts"],
  ],
  "another tsconfig": [
    ["+", "npx tsc --noEmit"],
    ["-", "npx tsc --noEmit -p packages/api"],
  ],
  "a script with an argument": [
    ["+", "./check.sh"],
    ["-", "./check.sh staging"],
  ],
  "another machine": [
    ["+", "pytest"],
    ["-", "ssh build 'cd /home/user/project && pytest'"],
  ],
  "a container": [
    ["+", "pytest"],
    ["-", "docker exec web pytest"],
  ],
  "another worktree": [
    ["+", "npm test"],
    ["-", "git worktree add ../base main && cd ../base && npm test"],
  ],
  "another branch": [
    ["+", "npm test"],
    [".", "git checkout main"],
    ["-", "npm test"],
  ],
  "another branch, within one line": [
    ["+", "npm test"],
    ["-", "git switch main && npm test; git switch -"],
  ],
  "a pull request that was checked out": [
    ["+", "npm test"],
    ["-", "gh pr checkout 12 && npm test"],
  ],
  "the work is put aside": [
    ["+", "npm test"],
    [".", "git stash -u"],
    ["-", "npm test"],
    [".", "git stash pop"],
  ],
  "the work is put aside within one line": [
    ["+", "npm test"],
    ["-", "git stash push --keep-index && npm test; git stash pop"],
  ],
  "an earlier commit is looked for": [
    ["+", "npm test"],
    [".", "git bisect start HEAD v1.0"],
    ["-", "npm test"],
    [".", "git bisect reset"],
  ],
  "an earlier commit is looked for, step by step": [
    [".", "git bisect start HEAD v1.0"],
    ["+", "npm test"],
    [".", "git bisect good"],
    ["-", "npm test"],
  ],
  "an earlier commit was looked for": [
    [".", "git bisect start HEAD v1.0"],
    ["+", "npm test"],
    [".", "git bisect good"],
    ["-", "npm test"],
    [".", "git bisect bad && git bisect reset"],
  ],
  "back where a new branch began": [
    [".", "git switch -c fix"],
    ["+", "npm test"],
    [".", "git switch -"],
    ["-", "npm test"],
  ],
  "one commit further back": [
    [".", "git checkout HEAD~1"],
    ["+", "npm test"],
    [".", "git checkout HEAD~1"],
    ["-", "npm test"],
  ],
  "an earlier state of one file": [
    ["+", "npm test"],
    [".", "git checkout HEAD~1 -- src/a.ts"],
    ["-", "npm test"],
  ],
  "an earlier commit, for good": [
    ["+", "npm test"],
    [".", "git reset --hard origin/main"],
    ["-", "npm test"],
  ],
  "the fix is taken out and put back within one line": [
    ["+", "go test ./..."],
    ["-", "cp a.go /tmp/a.go && sed -i 's/guard()//' a.go && go test ./...; cp /tmp/a.go a.go"],
  ],
  "the fix is taken out by an edit and put back by another": [
    ["+", "go test ./..."],
    ["-", "sed -i 's/x > 0/x >= 0/' a.go; go test ./...; sed -i 's/x >= 0/x > 0/' a.go"],
  ],
  "the fix is taken out and checked out again": [
    ["+", "go test ./..."],
    ["-", "git show HEAD~1:a.go > a.go; go test ./...; git checkout a.go"],
  ],
  "the files are brought back after the failure": [
    ["+", "go test ./..."],
    [".", "patch -p1 < try.diff"],
    ["-", "go test ./..."],
    [".", "git restore ."],
  ],
  "a task that runs everything, for a check of all packages": [
    ["+", "go vet ./..."],
    ["-", "go vet ./..."],
    ["+", "make ci"],
  ],
  "a merge with conflicts is taken back": [
    ["+", "go test ./..."],
    [".", "git merge feature"],
    ["-", "go test ./..."],
    [".", "git merge --abort"],
  ],
  "the work is thrown away after the failure": [
    ["+", "go test ./..."],
    ["-", "go test ./..."],
    [".", "git reset --hard HEAD"],
  ],
  "a setting that the pass had not": [
    ["+", "go test ./e2e"],
    ["-", "REQUIRE_SHELL=zsh go test ./e2e"],
  ],
  "a setting with another value": [
    ["+", "export MODE=manual && ./check_e2e.sh"],
    ["-", "export MODE=auto && ./check_e2e.sh"],
  ],
  "another platform": [
    ["+", "GOOS=js GOARCH=wasm go test ./auth"],
    ["-", "GOOS=windows go test ./auth"],
  ],
  "another database": [
    ["+", "DATABASE_URL=a npm run test:integration"],
    ["-", "DATABASE_URL=b npm run test:integration"],
  ],
};
