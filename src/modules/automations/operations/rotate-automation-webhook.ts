import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { findCallerKeyId } from '#modules/accounts';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { checkIsOwner } from '../check-grants.ts';
import { automationChanged } from '../events.ts';
import { automationId } from '../ids.ts';
import { hashHookSecret, generateHookSecret } from '../receive-delivery.ts';
import { lockAutomation, updateAutomationRow } from '../store/automations.ts';

export function rotateAutomationWebhook({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'rotate_automation_webhook',
    summary:
      'Create the secret address where a POST starts an automation of yours with a webhook trigger. The previous address stops working.',
    toolset: 'automations',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true,
    access: { scope: 'automations:activate', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/automations/{automation_id}/webhook' }],
    input: z.strictObject({ automation_id: automationId }),
    output: z.object({
      automation_id: z.uuid(),
      webhook_url: uri().describe('Shown once. Anyone who has it can start the automation.'),
    }),
    errors: ['not_found', 'conflict', 'forbidden'],
    examples: [{ title: 'An address for a form', input: { automation_id: createExampleId('hooked_automation') } }],
    async run(ctx, { automation_id }) {
      const automation = await lockAutomation(ctx.db, automation_id);
      checkIsOwner(ctx, automation);
      const { person_id: personId, state, triggers } = automation;
      if (state === 'killed') throw new AppError('conflict', 'This automation was deleted. Save it as a new one.');
      if (!triggers.some(({ kind }) => kind === 'webhook'))
        throw new AppError(
          'conflict',
          'This automation has no webhook trigger. Add {kind: "webhook"} to its triggers.',
        );
      const secret = generateHookSecret();
      await updateAutomationRow(ctx.db, automation_id, {
        webhook_hash: hashHookSecret(secret),
        webhook_made_by_key: await findCallerKeyId(ctx),
        webhook_ended_reason: null,
      });
      await ctx.emit(automationChanged({ automation_id, state }, { personId }));
      return { automation_id, webhook_url: `${publicUrl}/hooks/automations/${secret}` };
    },
  });
}
