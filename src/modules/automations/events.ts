import { defineEvent, type Event } from '#kernel/event';
import { z } from 'zod';
import type { RunRow } from './store/tables.ts';

/** An automation was created or changed. */
export const automationChanged = defineEvent(
  'automation.changed',
  'automations:read',
  z.object({ automation_id: z.uuid(), state: z.string() }),
);

/** A run has started, or has ended. */
export const runChanged = defineEvent(
  'automation_run.changed',
  'automations:read',
  z.object({ run_id: z.uuid(), automation_id: z.uuid(), status: z.string() }),
);

/** The present status of a run, for its person only. */
export function buildRunChanged({ id, automation_id, status, person_id }: RunRow): Event {
  return runChanged({ run_id: id, automation_id, status }, { personId: person_id });
}
