import { spawnSync } from "node:child_process";
import { waitFor } from "../helpers/wait-for.ts";
import type { ProgramOptions } from "./program.ts";

/** A screen of 400 columns at which somebody sits. */
export interface Terminal {
  /** Types a text without sending it off. */
  type(text: string): void;
  /** All that the screen shows and has shown, lines that were wrapped joined. */
  read(): string;
  /** Waits until the screen shows the text. */
  waitFor(text: string | RegExp): Promise<void>;
  /**
   * Presses a key until the screen shows the text, after a second and then once a second, as somebody does who reads first: a dialog that has only just
   * appeared takes no key yet, and an Enter right behind a text is taken for a part of something pasted.
   */
  pressUntil(key: string, text: string | RegExp): Promise<void>;
}

const LIMIT_MS = 60_000;
const PRESS_EVERY_MS = 1_000;

/** Starts a program on a screen of tmux's, in a server of its own that listens at `socket`. Whoever calls ends it. */
export function openTerminal(socket: string, argv: readonly string[], { cwd, env }: ProgramOptions): Terminal {
  const tmux = (...args: readonly string[]): string => {
    const { status, stdout, stderr, error } = spawnSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      cwd,
      env,
      encoding: "utf8",
    });
    if (status !== 0) throw error ?? new Error(`tmux ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  tmux("new-session", "-d", "-x", "400", "-y", "50", "-c", cwd, ...argv);
  tmux("set-option", "-g", "remain-on-exit", "on");
  const read = (): string => tmux("capture-pane", "-p", "-J", "-S", "-");
  const wait = async (text: string | RegExp, look: () => void): Promise<void> => {
    const find = (): true | undefined => {
      look();
      const shown = read();
      return (typeof text === "string" ? shown.includes(text) : text.test(shown)) || undefined;
    };
    await waitFor(`${String(text)} on the screen`, find, LIMIT_MS).catch((error: unknown) => {
      throw new Error(`expected ${String(text)} on the screen, got:\n${read()}`, { cause: error });
    });
  };
  return {
    type: (text) => void tmux("send-keys", "-l", text),
    read,
    waitFor: (text) => wait(text, () => {}),
    pressUntil(key, text) {
      let pressedAt = performance.now();
      return wait(text, () => {
        if (performance.now() - pressedAt < PRESS_EVERY_MS) return;
        tmux("send-keys", key);
        pressedAt = performance.now();
      });
    },
  };
}
