import { defineEvent } from '#kernel/event';
import { z } from 'zod';
import { draftStates } from './draft-states.ts';

export const draftCreated = defineEvent(
  'draft.created',
  'actions:read',
  z.object({ draft_id: z.uuid(), source: z.string(), action: z.string() }),
);
/** A person edited the draft's content. */
export const draftEdited = defineEvent('draft.edited', 'actions:read', z.object({ draft_id: z.uuid() }));
/** A person let the draft wait longer. */
export const draftExtended = defineEvent(
  'draft.extended',
  'actions:read',
  z.object({ draft_id: z.uuid(), expires_at: z.iso.datetime() }),
);
export const draftDecided = defineEvent(
  'draft.decided',
  'actions:read',
  z.object({ draft_id: z.uuid(), status: z.enum(draftStates) }),
);
/** A delegation began or ended; sent to both people. */
export const approverChanged = defineEvent('approver.changed', 'approvers:read', z.object({ approver_id: z.uuid() }));
