// Of a virtual machine: how much of its processors' time others had.
import { readFileSync } from 'node:fs';

/** Since the system began, in ticks of 10 ms: how long the processors worked, and how long they would have, but others had them. */
export type Ticks = { used: number; stolen: number };

/** The stolen time from Linux. Other systems report none. */
export function readTicks(): Ticks {
  try {
    const [, ...ticks] = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/\s+/);
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] = ticks.map(Number);
    return { used: user + nice + system + irq + softirq, stolen };
  } catch {
    return { used: 0, stolen: 0 };
  }
}

/** The share of the time that was wanted and not got since then. */
export function computeStolenShare(then: Ticks): number {
  const now = readTicks();
  const stolen = now.stolen - then.stolen;
  return stolen / Math.max(1, now.used - then.used + stolen);
}
