import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { isSecretName, getSecretOwnerTier, ownerUserId } from '../access/secret-owner.ts';
import { listVariables } from '../store/variables.ts';

export const automationSecretList = defineOperation({
  name: 'automation_secret_list',
  summary: 'List the secrets that your automations can use: names and dates, never values.',
  toolset: 'variables',
  effect: 'read',
  access: { scope: 'variables:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/automation-secrets' }],
  input: z.strictObject({ owner_user_id: ownerUserId.optional() }),
  output: z.object({
    owner_user_id: z.uuid(),
    secrets: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        description: z.string(),
        hosts: z.array(z.string()).describe('Where it may be sent. Empty: nowhere yet.'),
        created_at: z.iso.datetime(),
        updated_at: z.iso.datetime(),
      }),
    ),
  }),
  errors: ['forbidden', 'not_found'],
  examples: [{ title: 'Which ones do I have?', input: {} }],
  async run(ctx, { owner_user_id }) {
    const variableTier = getSecretOwnerTier(ctx, owner_user_id);
    const rows = (await listVariables(ctx.db, [variableTier])).filter(({ name }) => isSecretName(name));
    return {
      owner_user_id: variableTier.scopeId,
      secrets: rows.map(({ id, name, description, hosts, created_at, updated_at }) => ({
        id,
        name,
        description,
        hosts,
        created_at: created_at.toISOString(),
        updated_at: updated_at.toISOString(),
      })),
    };
  },
});
