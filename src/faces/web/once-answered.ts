import type { Context } from 'hono';

/** Runs `work` when the answer has left this process. Where there is no connection, as in a test without a port, at once. */
export function onceAnswered(c: Context, work: () => Promise<void>): void {
  const { outgoing } = (c.env ?? {}) as { outgoing?: { once(event: 'finish', run: () => void): unknown } }; // `serve` puts it there
  const run = () => void work().catch(() => {}); // the answer may then be asked for once more, which is harmless
  if (outgoing) outgoing.once('finish', run);
  else run();
}
