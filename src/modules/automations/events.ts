import { defineEvent } from '#kernel/event';
import { z } from 'zod';

/** An automation is new or was changed. */
export const automationChanged = defineEvent(
  'automation.changed',
  'automations:read',
  z.object({ automation_id: z.uuid(), state: z.string() }),
);

/** A run was asked for, has begun, or has ended. */
export const runChanged = defineEvent(
  'automation_run.changed',
  'automations:read',
  z.object({ run_id: z.uuid(), automation_id: z.uuid(), status: z.string() }),
);
