import { defineEvent } from '#kernel/event';
import { z } from 'zod';

const memories = z.object({ ids: z.array(z.uuid()), brain_id: z.uuid() });

export const memoryStored = defineEvent('memory.stored', 'memory:read', memories);
export const memoryArchived = defineEvent(
  'memory.archived',
  'memory:read',
  z.object({ id: z.uuid(), brain_id: z.uuid() }),
);
export const memoriesRestored = defineEvent('memory.restored', 'memory:read', memories);
export const memoriesMerged = defineEvent(
  'memory.merged',
  'memory:read',
  z.object({ merge_id: z.uuid(), kept: z.uuid(), retired: z.array(z.uuid()), brain_id: z.uuid() }),
);
export const memoryCorrected = defineEvent(
  'memory.corrected',
  'memory:read',
  z.object({ id: z.uuid(), brain_id: z.uuid() }),
);
export const memoryMoved = defineEvent(
  'memory.moved',
  'memory:read',
  z.object({ id: z.uuid(), brain_id: z.uuid(), from_brain_id: z.uuid() }),
);
