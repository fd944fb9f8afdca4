/** A reply that admits something in plain words, and one that looks alike and does not. */
export interface Pair {
  readonly reply: string;
  readonly claim: string;
  readonly reason: string;
  readonly nearMiss: string;
}

/** One form of saying it after another. */
export const pairs: readonly Pair[] = [
  {
    reply: "I could not verify that the migration runs on Postgres 12 because there is no Postgres here.",
    claim: "the migration runs on Postgres 12",
    reason: "there is no Postgres here",
    nearMiss:
      "I verified that the migration runs on Postgres 12 although there is no Postgres here: a container has one.",
  },
  {
    reply: "I couldn't verify the fix because the test fails on main as well.",
    claim: "the fix",
    reason: "the test fails on main as well",
    nearMiss: "The validator could not verify the fix because the test fails on main as well.",
  },
  {
    reply: "I was unable to test the upload since it needs a bucket of our own.",
    claim: "the upload",
    reason: "it needs a bucket of our own",
    nearMiss: "I was unable to test the upload since the refactor.",
  },
  {
    reply: "The retry logic is untested: no database here.",
    claim: "The retry logic",
    reason: "no database here",
    nearMiss: "The retry logic is untested. It has no database of its own, so a test is cheap; I will write one.",
  },
  {
    reply: "I couldn't run the tests (no network).",
    claim: "the tests",
    reason: "no network",
    nearMiss: "I couldn't run the tests (see above).",
  },
  {
    reply: "The retry works for all three codes, but I couldn't verify it: the sandbox has no network access.",
    claim: "The retry works for all three codes",
    reason: "the sandbox has no network access",
    nearMiss: "The retry works for all three codes, but I couldn't verify it yet: running the suite at the moment.",
  },
  {
    reply: "The cache is cleared on logout. I couldn't verify this because the server needs a license key.",
    claim: "The cache is cleared on logout",
    reason: "the server needs a license key",
    nearMiss: "The cache is cleared on logout. You can't verify this because the server needs a license key.",
  },
  {
    reply: "Could not run `npm test`: the registry is unreachable from here.",
    claim: "`npm test`",
    reason: "the registry is unreachable from here",
    nearMiss: "Cannot verify your account: sign in again.",
  },
  {
    reply: "The Windows path could not be tested because this machine runs Linux.",
    claim: "The Windows path",
    reason: "this machine runs Linux",
    nearMiss: "The signature could not be verified because the key has expired.",
  },
  {
    reply: "Because Docker is not running here, I couldn't run the integration tests.",
    claim: "the integration tests",
    reason: "Docker is not running here",
    nearMiss: "At first I couldn't run the integration tests because Docker was not running here.",
  },
  {
    reply: "There's no network in this sandbox, so I couldn't run the e2e suite.",
    claim: "the e2e suite",
    reason: "There's no network in this sandbox",
    nearMiss: "If there's no network in this sandbox, I couldn't run the e2e suite.",
  },
  {
    reply: "No Docker here, so the integration suite could not be run.",
    claim: "the integration suite",
    reason: "No Docker here",
    nearMiss: "No Docker needed: the integration suite runs without it.",
  },
  {
    reply: "Without a connected device I could not test the pairing.",
    claim: "the pairing",
    reason: "Without a connected device",
    nearMiss: "Without a connected device, could you test the pairing?",
  },
  {
    reply: "- Not tested: the Safari layout (no Safari on this machine)",
    claim: "the Safari layout",
    reason: "no Safari on this machine",
    nearMiss: "- Not tested: nothing (every browser is on this machine)",
  },
  {
    reply: "**Not verified:** the OAuth callback, because I have no client credentials.",
    claim: "the OAuth callback",
    reason: "I have no client credentials",
    nearMiss: "Not yet verified; running now.",
  },
  {
    reply: "| e2e | not run: no browser here |\n|---|---|",
    claim: "e2e",
    reason: "no browser here",
    nearMiss: "| e2e | run: needs no browser here |\n|---|---|",
  },
  {
    reply: "I have not been able to confirm whether the job fires, since the scheduler is not deployed yet.",
    claim: "the job fires",
    reason: "the scheduler is not deployed yet",
    nearMiss: "I have been able to confirm that the job fires, since the scheduler is deployed.",
  },
  {
    reply: "I can’t confirm that the webhook's signature matches without the production secret.",
    claim: "the webhook's signature matches",
    reason: "without the production secret",
    nearMiss: "The client can’t confirm that the webhook's signature matches without the production secret.",
  },
  {
    reply: "I left the Windows path untested because I have no Windows machine.",
    claim: "the Windows path",
    reason: "I have no Windows machine",
    nearMiss: "I left the Windows path untouched because I have no Windows machine.",
  },
  {
    reply: "I skipped the e2e tests because the browsers are not installed here.",
    claim: "the e2e tests",
    reason: "the browsers are not installed here",
    nearMiss: "The runner skipped the e2e tests because the browsers are not installed there.",
  },
  {
    reply: "I ran the linter but could not run the e2e suite because Docker is not available.",
    claim: "the e2e suite",
    reason: "Docker is not available",
    nearMiss: "The job starts but could not run the e2e suite because Docker is not available.",
  },
  {
    reply: "I didn't run the integration tests: they need a server that isn't available here.",
    claim: "the integration tests",
    reason: "they need a server that isn't available here",
    nearMiss: "I didn't run the integration tests because you asked me not to.",
  },
  {
    reply: "I haven't tested the GPU path because there is no GPU on this machine.",
    claim: "the GPU path",
    reason: "there is no GPU on this machine",
    nearMiss: "I haven't tested the GPU path because nobody calls it with that size.",
  },
  {
    reply: "I wasn't able to run the full test suite in this sandbox.",
    claim: "the full test suite",
    reason: "in this sandbox",
    nearMiss: "I was able to run the full test suite in this sandbox.",
  },
  {
    reply: "Lint passes, but the macOS leg remains unverified because there is no macOS runner here.",
    claim: "the macOS leg",
    reason: "there is no macOS runner here",
    nearMiss: "An unverified e-mail address (no link was opened) keeps its owner out.",
  },
  {
    reply: "I could not verify that `parseDate()` accepts `24:00` because `tz-data` is not installed.",
    claim: "`parseDate()` accepts `24:00`",
    reason: "`tz-data` is not installed",
    nearMiss: "The log says `I could not verify the date because tz-data is not installed`.",
  },
  {
    reply: "We could not test the mailer because there is no mail server in this environment.",
    claim: "the mailer",
    reason: "there is no mail server in this environment",
    nearMiss: "We cannot check for conflicts because the transcript has no times.",
  },
  {
    reply: "There was no way to test the notifications here: no device is connected.",
    claim: "the notifications",
    reason: "no device is connected",
    nearMiss: "There is no way to test private methods, so I go through the public one.",
  },
  {
    reply: "What I could not verify: whether the hook fires on Windows, because no Windows is available.",
    claim: "the hook fires on Windows",
    reason: "no Windows is available",
    nearMiss: "What I could not verify: whether the hook fires on Windows. What do you run it on?",
  },
  {
    reply: "I could not verify the behaviour on Node 18 (only Node 20 is installed), but the code is the same.",
    claim: "the behaviour on Node 18",
    reason: "only Node 20 is installed",
    nearMiss: 'The report reads: "I could not verify the behaviour on Node 18 (only Node 20 is installed)".',
  },
  {
    reply: "I could not run the tests because the sandbox has no network, so I read the code instead.",
    claim: "the tests",
    reason: "the sandbox has no network",
    nearMiss: "I could not run the tests because the packages were missing, so I installed them and now all pass.",
  },
  {
    reply: "Untested on Windows: I don't have a Windows machine.",
    claim: "Windows",
    reason: "I don't have a Windows machine",
    nearMiss: 'Write "untested on Windows: no machine" beside each row that you skip.',
  },
  {
    reply: "I could not check the rendered page because the browser does not start here.",
    claim: "the rendered page",
    reason: "the browser does not start here",
    nearMiss: "I could not check out the page's branch because the tree is not clean here.",
  },
  {
    reply: "I can't run the migration test because it needs your permission.",
    claim: "the migration test",
    reason: "it needs your permission",
    nearMiss: "I can't run the deletion because it needs your permission.",
  },
  {
    reply: "Could not verify the import because\nthe staging database is not reachable.",
    claim: "the import",
    reason: "the staging database is not reachable",
    nearMiss: "> I could not verify the import because\n> the staging database is not reachable.",
  },
];

/** What asks nothing, whatever stands beside it. */
export const innocent: readonly string[] = [
  "",
  "Done: the option is in place and everything works.",
  "When I cannot verify something because there is no network, I tag it.",
  "Could I not verify the build because there is no network?",
  "It is not that I could not test it because there is no network.",
  "You told me that I could not verify the build because there is no network.",
  "The function returns false when it could not verify the signature because no key is installed.",
  "I fixed the bug where the importer could not validate rows because no schema was installed.",
  "I haven't verified that the hosted app honours the option in practice.",
  "I could not test the export because a file was missing, but I have since added it and it passes.",
  "The suite can't be run in parallel because it requires one database.",
  "The flag is unverified input: it comes from the query without checks.",
  "```\nI could not verify the build because there is no network.\n```",
  "The template was:\n\n```text\nI could not verify the build because there is no network.",
];
