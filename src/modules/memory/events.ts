import { defineEvent } from '#kernel/event';
import { z } from 'zod';

export const memoryStored = defineEvent('memory.stored', z.object({ ids: z.array(z.uuid()), brain_id: z.uuid() }));
export const memoryArchived = defineEvent('memory.archived', z.object({ id: z.uuid(), brain_id: z.uuid() }));
