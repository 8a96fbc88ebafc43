// The slots of a process for runs. Each kind of run has its own slots, and one person never uses all of them.
import type { Tasks } from '#platform/workers';
import type { RunKind } from '../store/due.ts';

export type Slots = ReturnType<typeof createSlots>;

/** Counts the runs among the tasks of a worker. `most`: how many of each kind it executes at once. */
export function createSlots(tasks: Tasks, most: number) {
  const mostOfPerson = Math.max(1, most - 1);
  const nameGroup = (kind: RunKind, personId: string) => `${kind} ${personId}`;
  return {
    countFree: (kind: RunKind): number => most - tasks.count(kind),
    hasRoom: (kind: RunKind, personId: string): boolean =>
      tasks.count(kind) < most && tasks.count(nameGroup(kind, personId)) < mostOfPerson,
    /** The people who already have as many runs of a kind as one person may have. */
    listFullPeople(kind: RunKind): string[] {
      const own = [...tasks.groups()].filter(([group, count]) => group.startsWith(`${kind} `) && count >= mostOfPerson);
      return own.map(([group]) => group.slice(kind.length + 1));
    },
    begin: (kind: RunKind, personId: string, run: Parameters<Tasks['begin']>[1]): void =>
      tasks.begin([kind, nameGroup(kind, personId)], run),
  };
}
