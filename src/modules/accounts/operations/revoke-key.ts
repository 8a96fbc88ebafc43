import { defineOperation } from '#kernel/operation';
import { createExampleId } from '#kernel/examples';
import { z } from 'zod';
import type { EndPerson } from '../people/end-membership.ts';
import { endKey, removeJoined, type EndKeys } from '../keys/end-what-key-made.ts';
import { keyId, personId } from '../ids.ts';

export const revokeKey = (keyEnds: readonly EndKeys[], personEnds: readonly EndPerson[]) =>
  defineOperation({
    name: 'revoke_key',
    summary:
      'Revoke a key and end what it created: keys, sessions, phones, invitations, tokens, links, addresses. Automations it activated pause. Every process refuses them within a second.',
    toolset: 'accounts',
    effect: 'write',
    isDestructive: true,
    access: { scope: 'keys:write', isForPeople: true },
    rest: [{ method: 'DELETE', path: '/v1/keys/{key_id}' }],
    input: z.strictObject({
      key_id: keyId,
      remove_people: z
        .array(personId)
        .max(200)
        .default([])
        .describe('People who joined through this key and should be removed with it; `list_keys` names them.'),
    }),
    output: z.object({
      key_id: z.uuid(),
      revoked: z.literal(true),
      ended: z.record(z.string(), z.number()).describe('How many of the things it created ended with it, by kind.'),
      joined: z
        .array(z.object({ person_id: z.uuid(), name: z.string(), email: z.string() }))
        .describe('People who joined through this key and are still in the workspace.'),
    }),
    errors: ['forbidden', 'not_found', 'conflict'],
    examples: [{ title: 'A key that leaked', input: { key_id: createExampleId('key') } }],
    async run(ctx, { key_id, remove_people }) {
      const { counts, people } = await endKey(ctx, key_id, keyEnds);
      await removeJoined(ctx, { personIds: remove_people, joined: people, ends: personEnds });
      const left = people.filter(({ id }) => !remove_people.includes(id));
      return {
        key_id,
        revoked: true as const,
        ended: { ...counts, people: remove_people.length },
        joined: left.map(({ id, name, email }) => ({ person_id: id, name, email })),
      };
    },
  });
