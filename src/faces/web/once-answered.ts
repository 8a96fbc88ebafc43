import type { Context } from 'hono';

type OutgoingResponse = { closed: boolean; once(event: 'close', run: () => void): unknown };

/**
 * Runs `work` when the answer was sent, or its client disconnected: this process is alive, so another one has nothing
 * to repeat. Without a connection, as in a test without a port, it runs at once.
 */
export function runOnceAnswered(c: Context, work: () => Promise<void>): void {
  const { outgoing } = (c.env ?? {}) as { outgoing?: OutgoingResponse }; // `serve` sets it
  const run = () => void work().catch(() => {}); // the answer may then be requested again, which is harmless
  if (outgoing && !outgoing.closed) outgoing.once('close', run); // after `finish`, too
  else run();
}
