import { defineOperation } from '#kernel/operation';
import { ruleSchema } from '#kernel/rule';
import { scopes } from '#kernel/scopes';
import { z } from 'zod';
import { visibleTo } from '../ids.ts';
import { listKeys as findKeys } from '../store/keys.ts';

export const listKeys = defineOperation({
  name: 'list_keys',
  summary: 'List keys with their scopes, reach and when they were last used; never the keys themselves.',
  toolset: 'accounts',
  effect: 'read',
  access: { scope: 'keys:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/keys' }],
  input: z.strictObject({}),
  output: z.object({
    keys: z.array(
      z.object({
        key_id: z.uuid(),
        label: z.string(),
        prefix: z.string(),
        scopes: z.array(z.enum(scopes)),
        reach: z.enum(['owner', 'brain']),
        rules: z.array(ruleSchema),
        home_brain_id: z.uuid(),
        created_at: z.iso.datetime(),
        last_used_at: z.iso.datetime().nullable(),
        expires_at: z.iso.datetime().nullable(),
        revoked_at: z.iso.datetime().nullable(),
      }),
    ),
  }),
  errors: ['forbidden'],
  examples: [{ title: 'Which keys are there?', input: {} }],
  async run(ctx) {
    const keys = await findKeys(ctx.db, visibleTo(ctx.caller));
    return {
      keys: keys.map((key) => ({
        key_id: key.id,
        label: key.label,
        prefix: `${key.prefix}…`,
        scopes: key.scopes,
        reach: key.reach,
        rules: key.rules,
        home_brain_id: key.home_brain_id,
        created_at: key.created_at.toISOString(),
        last_used_at: key.last_used_at?.toISOString() ?? null,
        expires_at: key.expires_at?.toISOString() ?? null,
        revoked_at: key.revoked_at?.toISOString() ?? null,
      })),
    };
  },
});
