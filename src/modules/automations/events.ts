import { defineEvent } from '#kernel/event';
import { z } from 'zod';

/** An automation was created or changed. */
export const automationChanged = defineEvent(
  'automation.changed',
  'automations:read',
  z.object({ automation_id: z.uuid(), state: z.string() }),
);

/** A run was queued, has started, or has ended. */
export const runChanged = defineEvent(
  'automation_run.changed',
  'automations:read',
  z.object({ run_id: z.uuid(), automation_id: z.uuid(), status: z.string() }),
);
