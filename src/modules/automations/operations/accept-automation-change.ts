import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { applyChange, checkMayChange } from '../changes/apply-change.ts';
import { checkIsOwner, type FindOperation } from '../check-grants.ts';
import { states } from '../fields.ts';
import { changeId } from '../ids.ts';
import { lockAutomation } from '../store/automations.ts';
import { decideChange, lockChange } from '../store/changes.ts';
import type { ChangeRow } from '../store/tables.ts';

export function acceptAutomationChange({ find }: { find: FindOperation }) {
  return defineOperation({
    name: 'accept_automation_change',
    summary: 'Accept a pending change of an automation. It applies from the next run on.',
    toolset: 'automations',
    effect: 'write',
    isWidening: true,
    access: { scope: 'automations:activate', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/automation-changes/{change_id}/accept' }],
    input: z.strictObject({
      change_id: changeId,
      seen_updated_at: z.iso
        .datetime()
        .optional()
        .describe('`updated_at` of the automation as it was shown: the call is refused if it changed since.'),
    }),
    output: z.object({ automation_id: z.uuid(), change_id: z.uuid(), state: z.enum(states) }),
    errors: ['not_found', 'conflict', 'forbidden', 'invalid_input'],
    examples: [{ title: 'The change is fine', input: { change_id: createExampleId('automation_change') } }],
    async run(ctx, { change_id, seen_updated_at: seen }) {
      const change = await lockChange(ctx.db, change_id);
      checkWaits(change);
      const automation = await lockAutomation(ctx.db, change.automation_id);
      checkIsOwner(ctx, automation);
      checkMayChange(automation, seen);
      const { fields, version_id: versionId } = change;
      const { state } = await applyChange(ctx, find, automation, { fields, versionId });
      const decision = { status: 'accepted' as const, decided_by_label: ctx.caller.label, decided_at: ctx.now };
      await decideChange(ctx.db, change_id, decision);
      return { automation_id: automation.id, change_id, state };
    },
  });
}

/** Throws `conflict` for a change that was already decided or replaced. */
export function checkWaits({ status }: ChangeRow): void {
  if (status === 'pending') return;
  throw new AppError('conflict', `This change is no longer pending: it is ${status}. Read the automation again.`, {
    status,
  });
}
