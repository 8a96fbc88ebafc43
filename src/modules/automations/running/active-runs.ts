// The runs that this process executes. Each kind has slots of its own, and one person never has all of them.
import type { RunKind } from '../store/due.ts';

type ActiveRun = { kind: RunKind; personId: string; done: Promise<void> };

/** Counts the runs of a process. `slots`: how many of each kind it executes at once. */
export function createActiveRuns(slots: number) {
  const runs = new Set<ActiveRun>();
  const slotsOfPerson = Math.max(1, slots - 1);
  const ofKind = (kind: RunKind) => [...runs].filter((run) => run.kind === kind);
  const countOf = (kind: RunKind, personId: string) => ofKind(kind).filter((run) => run.personId === personId).length;

  return {
    roomFor: (kind: RunKind): number => slots - ofKind(kind).length,
    hasRoom: (kind: RunKind, personId: string): boolean =>
      ofKind(kind).length < slots && countOf(kind, personId) < slotsOfPerson,
    /** The people who have as many runs of a kind as one person may have. */
    fullPeople(kind: RunKind): string[] {
      const people = new Set(ofKind(kind).map(({ personId }) => personId));
      return [...people].filter((personId) => countOf(kind, personId) >= slotsOfPerson);
    },
    add(kind: RunKind, personId: string, running: Promise<void>): void {
      const run: ActiveRun = { kind, personId, done: running.finally(() => runs.delete(run)) };
      runs.add(run);
    },
    async ended(): Promise<void> {
      await Promise.all([...runs].map(({ done }) => done));
    },
  };
}
