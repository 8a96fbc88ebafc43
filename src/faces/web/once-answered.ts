import type { Context } from 'hono';

type OutgoingResponse = { closed: boolean; once(event: 'close', run: () => void): unknown };

/**
 * Runs `work` when the answer has left this process, or its client broke the connection off: this process is alive, so
 * nothing was lost that another one has to make up for. Without a connection, as in a test without a port, it runs at once.
 */
export function runOnceAnswered(c: Context, work: () => Promise<void>): void {
  const { outgoing } = (c.env ?? {}) as { outgoing?: OutgoingResponse }; // `serve` sets it
  const run = () => void work().catch(() => {}); // the answer may then be requested again, which is harmless
  if (outgoing && !outgoing.closed) outgoing.once('close', run); // after `finish`, too
  else run();
}
