/**
 * Makes a function whose concurrent calls share runs, where each call needs a run that began after it. Calls that come
 * while a run is under way share the one that follows. Runs never overlap.
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
