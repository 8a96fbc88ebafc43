// Compares the latency of another caller during an attack with that in a quiet time.
import { expect } from 'vitest';

/** Below this a difference is the machine's, not the attack's. */
const floorMs = 40;
const mostTimes = 3;
const quietCalls = 30;
const leastCalls = 20;

export type Neighbour = {
  /** One call of the other caller. */
  call(): Promise<unknown>;
};

/**
 * Runs an attack again and again while the other caller goes on calling, and expects its p95 to stay within three times its quiet
 * figure of the same minute. A busy machine gets a second try; what holds the server up does so each time.
 */
export async function expectUndisturbed(neighbour: Neighbour, attack: () => Promise<unknown>): Promise<void> {
  const first = await compare(neighbour, attack);
  if (first.p95 <= first.most) return;
  const { p95, most } = await compare(neighbour, attack);
  expect(Math.round(p95)).toBeLessThanOrEqual(Math.round(most));
}

async function compare(neighbour: Neighbour, attack: () => Promise<unknown>): Promise<{ p95: number; most: number }> {
  const quiet: number[] = [];
  while (quiet.length < quietCalls) quiet.push(await measureCall(neighbour));
  const during: number[] = [];
  const ended = new AbortController();
  const attacking = attack().finally(() => ended.abort());
  do during.push(await measureCall(neighbour));
  while (!ended.signal.aborted || during.length < leastCalls);
  await attacking;
  return { p95: computeP95(during), most: mostTimes * Math.max(floorMs, computeP95(quiet)) };
}

async function measureCall({ call }: Neighbour): Promise<number> {
  const begun = performance.now();
  await call();
  return performance.now() - begun;
}

function computeP95(all: readonly number[]): number {
  return all.toSorted((one, other) => one - other)[Math.ceil(0.95 * all.length) - 1] ?? 0;
}
