import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinThread, leaveThread } from './threads.ts';

type Bead = { id: string; position: number; previous: Bead | null; next: Bead | null };
type Step = { id: string; position: number };

const steps = fc.array(fc.record({ id: fc.constantFrom(...'abcdefgh'), position: fc.nat(3) }));

test('turns are ordered by position, then id, and know their neighbours after any change', () => {
  fc.assert(
    fc.property(steps, (steps: Step[]) => {
      const thread: Bead[] = [];
      for (const step of steps) {
        const known = thread.find((bead) => bead.id === step.id);
        if (known) leaveThread(thread, known);
        else joinThread(thread, { ...step, previous: null, next: null });
      }
      const ordered = thread.toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
      expect(thread.map((bead) => bead.id)).toEqual(ordered.map((bead) => bead.id));
      thread.forEach((bead, at) => {
        expect(bead.previous).toBe(thread[at - 1] ?? null);
        expect(bead.next).toBe(thread[at + 1] ?? null);
      });
    }),
  );
});
