import { defineEvent } from '#kernel/event';
import { z } from 'zod';

export const brainCreated = defineEvent(
  'brain.created',
  'brains:read',
  z.object({ brain_id: z.uuid(), name: z.string() }),
);
export const brainUpdated = defineEvent(
  'brain.updated',
  'brains:read',
  z.object({ brain_id: z.uuid(), name: z.string() }),
);
export const brainDeleted = defineEvent('brain.deleted', 'brains:read', z.object({ brain_id: z.uuid() }));
export const membersChanged = defineEvent('brain.members_changed', 'brains:read', z.object({ brain_id: z.uuid() }));
