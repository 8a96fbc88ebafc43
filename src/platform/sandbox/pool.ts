// Waiting processes: unused ones for every caller, used ones for the trust domain that used them.
import type { Child } from './child.ts';

type IdleChild = { child: Child; since: number };

export type Pool = {
  /** A process that has run nothing, or only code of this domain. */
  take(domain: string | null): Child;
  /** Returns a process that ran code of a domain and ended well. */
  giveBack(child: Child, domain: string): void;
  /** Ends a process that must not be used again. */
  end(child: Child): Promise<void>;
  /** Ends processes that have waited too long. The pool calls it regularly while it has any. */
  sweep(): void;
  close(): Promise<void>;
};

/** `now` in milliseconds. */
type PoolOptions = { mostFresh: number; mostUsed: number; now?: () => number };

const usedForMs = 15_000;
const busyForMs = 60_000;
const sweepMs = 5_000;

/**
 * Creates a pool. It is empty until the first run, keeps as many processes as recently ran at once, and empties again.
 */
export function createPool(
  start: () => Child,
  { mostFresh, mostUsed, now = () => performance.now() }: PoolOptions,
): Pool {
  const fresh: Child[] = [];
  const used = createUsed(now);
  const out = new Set<Child>();
  const state = { wanted: 0, lastAt: 0, isClosed: false, sweeping: null as NodeJS.Timeout | null };

  function fill(): void {
    while (!state.isClosed && fresh.length < state.wanted) fresh.push(start());
  }

  function takeFresh(): Child {
    const child = fresh.shift() ?? start();
    return child.hasEnded() && fresh.length ? takeFresh() : child;
  }

  function sweep(): void {
    const isIdle = now() - state.lastAt > busyForMs;
    state.wanted = isIdle ? 0 : Math.max(1, state.wanted - 1);
    while (fresh.length > state.wanted) void fresh.pop()?.kill();
    used.sweep();
    if (state.wanted || used.all().length || out.size || !state.sweeping) return;
    clearInterval(state.sweeping);
    state.sweeping = null;
  }

  return {
    take(domain) {
      state.lastAt = now();
      const child = (domain !== null && used.take(domain)) || takeFresh();
      out.add(child);
      state.wanted = Math.min(mostFresh, Math.max(state.wanted, out.size));
      state.sweeping ??= setInterval(sweep, sweepMs).unref();
      setImmediate(fill);
      return child;
    },
    giveBack(child, domain) {
      out.delete(child);
      child.keepAlive(false);
      if (state.isClosed || used.all().length >= mostUsed) void child.kill();
      else used.add(child, domain);
    },
    async end(child) {
      out.delete(child);
      await child.kill();
    },
    sweep,
    async close() {
      state.isClosed = true;
      if (state.sweeping) clearInterval(state.sweeping);
      await Promise.all([...fresh, ...out, ...used.all()].map((child) => child.kill()));
    },
  };
}

/** Processes by the domain that used them, each for a while. */
function createUsed(now: () => number) {
  const byDomain = new Map<string, IdleChild[]>();
  function take(domain: string): Child | null {
    const waiting = byDomain.get(domain) ?? [];
    const child = waiting.pop()?.child ?? null;
    if (!waiting.length) byDomain.delete(domain);
    return child?.hasEnded() ? take(domain) : child;
  }
  return {
    take,
    add(child: Child, domain: string): void {
      byDomain.set(domain, [...(byDomain.get(domain) ?? []), { child, since: now() }]);
    },
    all: () => [...byDomain.values()].flat().map(({ child }) => child),
    sweep(): void {
      const at = now();
      for (const [domain, waiting] of byDomain) {
        const staying = waiting.filter(({ since }) => at - since <= usedForMs);
        for (const each of waiting) if (!staying.includes(each)) void each.child.kill();
        if (staying.length) byDomain.set(domain, staying);
        else byDomain.delete(domain);
      }
    },
  };
}
