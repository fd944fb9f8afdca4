import "./own-network.ts";
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listDir } from "../../lib/io/list-dir.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { clientTest } from "./client-test.ts";
import { codex } from "./client.ts";
import { installCatstack } from "./installed.ts";
import { makePerson } from "./person.ts";

clientTest(
  "codex, its hooks off: a turn is checked by notify, and the person's own program hears of it too",
  async (t, clients) => {
    const person = await makePerson(t, codex, clients);
    const config = join(person.home, ".codex/config.toml");
    const heard = join(person.home, "heard");
    const own = ["/bin/sh", "-c", `printf '%s' "$1" >"${heard}"`, "theirs"];
    const text = `notify = ${JSON.stringify(own)}\n${readFileSync(config, "utf8")}[features]\nhooks = false\n`;
    writeFileSync(config, text);
    const catstack = await installCatstack(t, person);

    const check = `python3 -m pytest tests/test_app.py`;
    person.write(
      "pytest.py",
      'import os, sys\nbad = os.path.exists("broken")\nprint("1 failed, 11 passed in 0.10s" if bad else "12 passed in 0.10s")\nsys.exit(bad)\n',
    );
    const turn = await person.turn("please finish", {
      main: [
        { calls: [codex.runs(check)] },
        { calls: [codex.runs("touch broken")] },
        { calls: [codex.runs(check)] },
        person.onceOnDisk("1 failed, 11 passed", { text: "Done. All 12 tests pass." }),
      ],
    });
    assert.equal(turn.code, 0, turn.stderr);
    assert.equal(turn.requests.length, 4);

    const state = join(person.home, ".local/state/catstack");
    await waitFor(
      "a job, and the notice of the person's own program",
      () => (listDir(join(state, "inbox")).length === 1 && existsSync(heard)) || undefined,
    );
    const notice: unknown = JSON.parse(readFileSync(heard, "utf8"));
    assert.ok(typeof notice === "object" && notice !== null && "last-assistant-message" in notice);
    assert.equal(notice["last-assistant-message"], "Done. All 12 tests pass.");
    assert.match(await catstack.judge(), /^judged 1 \(1 hit/);
    assert.match(await catstack.run("verdicts"), / hit  verdict-flip-watch  evidence /);
    await catstack.run("uninstall", "--purge");
    assert.equal(readFileSync(config, "utf8"), text);
  },
);
