import { defineOperation } from '#kernel/operation';
import { ruleSchema } from '#kernel/rule';
import { agentScopes, scopes } from '#kernel/scopes';
import { z } from 'zod';
import { getVisiblePersonId } from '../ids.ts';
import { listKeys as findKeys, listKeyNetworks } from '../store/keys.ts';
import { listPeopleOfKeys } from '../store/people.ts';

export const listKeys = defineOperation({
  name: 'list_keys',
  summary: 'List keys with their scopes, their reach and their last use; never the keys themselves.',
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
        paused_at: z.iso.datetime().nullable(),
        previous_until: z.iso
          .datetime()
          .nullable()
          .describe('Until when the previous key works after the last rotation.'),
        beyond_default: z
          .array(z.enum(scopes))
          .describe('Scopes that a new agent would not get; narrow_key removes them.'),
        made_by_key: z
          .uuid()
          .nullable()
          .describe('The key that created it: revoking that key ends this one. Null: a person created it.'),
        joined: z
          .array(z.object({ person_id: z.uuid(), name: z.string(), email: z.string() }))
          .describe('People who joined through an invitation of this key.'),
        places: z
          .array(z.object({ place: z.string(), first_used_at: z.iso.datetime() }))
          .describe('Networks that it was used from, newest first, 10 at most.'),
      }),
    ),
  }),
  errors: ['forbidden'],
  examples: [{ title: 'Which keys exist?', input: {} }],
  async run(ctx) {
    const keys = await findKeys(ctx.db, getVisiblePersonId(ctx.caller));
    const places = Map.groupBy(
      await listKeyNetworks(
        ctx.db,
        keys.map(({ id }) => id),
      ),
      ({ key_id }) => key_id,
    );
    const ids = keys.map(({ id }) => id);
    const joined = Map.groupBy(await listPeopleOfKeys(ctx.db, ids), ({ made_by_key }) => made_by_key);
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
        paused_at: key.paused_at?.toISOString() ?? null,
        previous_until: key.previous_until && key.previous_until > ctx.now ? key.previous_until.toISOString() : null,
        beyond_default: key.scopes.filter((scope) => !agentScopes.includes(scope)),
        made_by_key: key.made_by_key,
        joined: (joined.get(key.id) ?? []).map(({ id, name, email }) => ({ person_id: id, name, email })),
        places: (places.get(key.id) ?? [])
          .slice(0, 10)
          .map(({ place, first_used_at }) => ({ place, first_used_at: first_used_at.toISOString() })),
      })),
    };
  },
});
