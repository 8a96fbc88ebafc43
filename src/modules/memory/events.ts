import { defineEvent } from '#kernel/event';
import { z } from 'zod';

const memories = z.object({ ids: z.array(z.uuid()), brain_id: z.uuid() });

export const memoryStored = defineEvent('memory.stored', memories);
export const memoryArchived = defineEvent('memory.archived', z.object({ id: z.uuid(), brain_id: z.uuid() }));
export const memoriesRestored = defineEvent('memory.restored', memories);
export const memoriesMerged = defineEvent(
  'memory.merged',
  z.object({ merge_id: z.uuid(), kept: z.uuid(), retired: z.array(z.uuid()), brain_id: z.uuid() }),
);
export const memoryCorrected = defineEvent('memory.corrected', z.object({ id: z.uuid(), brain_id: z.uuid() }));
export const memoryMoved = defineEvent(
  'memory.moved',
  z.object({ id: z.uuid(), brain_id: z.uuid(), from_brain_id: z.uuid() }),
);
