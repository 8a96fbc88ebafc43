/**
 * Makes a function whose concurrent calls share runs, where each call needs a run that began after it. Calls during a
 * run share the next run. Runs never overlap.
 */
export function createSharedRun(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  function start(): Promise<void> {
    next = null;
    const current = run().finally(() => {
      if (next === null) running = null;
    });
    running = current;
    return current;
  }

  return function shared() {
    if (!running) return start();
    next ??= running.then(start, start);
    return next;
  };
}
