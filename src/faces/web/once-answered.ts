import type { Context } from 'hono';

/**
 * Runs `work` when the answer has left this process. Without a connection, as in a test without a port, it runs at
 * once.
 */
export function onceAnswered(c: Context, work: () => Promise<void>): void {
  const { outgoing } = (c.env ?? {}) as { outgoing?: { once(event: 'finish', run: () => void): unknown } }; // `serve` sets it
  const run = () => void work().catch(() => {}); // the answer may then be requested again, which is harmless
  if (outgoing) outgoing.once('finish', run);
  else run();
}
