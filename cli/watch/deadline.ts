export interface Deadline {
  /** `ms` from now it is over; of several calls the earliest moment counts. */
  set(ms: number): void;
  clear(): void;
}

/** Calls `onOver` once a set time is over, if the process is still there: it alone keeps no process alive. */
export function createDeadline(onOver: () => void): Deadline {
  let moment = Infinity;
  let timer: NodeJS.Timeout | undefined;
  return {
    set(ms) {
      if (performance.now() + ms >= moment) return;
      moment = performance.now() + ms;
      clearTimeout(timer);
      timer = setTimeout(onOver, ms).unref();
    },
    clear: () => clearTimeout(timer),
  };
}
