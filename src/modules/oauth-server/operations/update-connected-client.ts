import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { checkMayResume } from '#modules/accounts';
import { scopes } from '#kernel/scopes';
import { z } from 'zod';
import { connectedClientShape, toConnectedClients } from '../clients/connected-client.ts';
import { connectedClientId, getVisibleClientOwner } from '../ids.ts';
import { listGrants, lockGrant, narrowGrant, type GrantRow, type GrantNarrowing } from '../store/grants.ts';

const input = z.strictObject({
  id: connectedClientId,
  scopes: z.array(z.enum(scopes)).min(1).max(scopes.length).optional().describe('Some of its present scopes.'),
  toolsets: z.array(z.string().max(60)).min(1).max(50).optional().describe('Some of its present scopes.'),
  reach: z.literal('brain').optional().describe('It then reads only its home brain and the brains above.'),
  expires_at: z.iso.datetime().optional().describe('When its access ends; no later than it does now.'),
  is_paused: z.boolean().optional().describe('A paused client is refused until it is resumed.'),
});

export const updateConnectedClient = defineOperation({
  name: 'update_connected_client',
  summary:
    'Pause, resume or restrict a connected client: fewer scopes or toolsets, one brain, an earlier expiry. To allow it more, connect it again.',
  toolset: 'accounts',
  effect: 'write',
  access: { scope: 'keys:write', isForPeople: true },
  rest: [{ method: 'PATCH', path: '/v1/connected_clients/{id}' }],
  input,
  output: connectedClientShape,
  errors: ['forbidden', 'not_found', 'invalid_input'],
  examples: [
    {
      title: 'Reading only',
      input: { id: createExampleId('connected_client'), scopes: ['memory:read', 'brains:read'] },
    },
    { title: 'Not while I am away', input: { id: createExampleId('connected_client'), is_paused: true } },
  ],
  async run(ctx, { id, ...wanted }) {
    await lockGrant(ctx.db, id); // of two concurrent restrictions, the second sees what the first left
    const grant = (await listGrants(ctx.db, getVisibleClientOwner(ctx.caller), ctx.now)).find((each) => each.id === id);
    if (!grant) throw createNotFoundError('connected client');
    if (wanted.is_paused === false && grant.paused_at) checkMayResume(ctx.caller, grant);
    const narrowed = computeGrantNarrowing(grant, wanted, ctx.now);
    if (Object.keys(narrowed).length) await narrowGrant(ctx.db, id, narrowed);
    const [client] = await toConnectedClients(ctx.db, [{ ...grant, ...narrowed }]);
    if (!client) throw createNotFoundError('connected client');
    return client;
  },
});

/** The changes. Throws for a change that would allow the client more. */
function computeGrantNarrowing(grant: GrantRow, wanted: Omit<z.output<typeof input>, 'id'>, now: Date): GrantNarrowing {
  const { scopes: fewer, toolsets, reach, expires_at, is_paused } = wanted;
  const more = [
    ...(fewer ?? []).filter((scope) => !grant.scopes.includes(scope)),
    ...(toolsets ?? []).filter((toolset) => grant.toolsets && !grant.toolsets.includes(toolset)),
  ];
  if (more.length) throw createOnlyLessError(`it does not have ${more.join(', ')}`);
  const end = expires_at ? new Date(expires_at) : undefined;
  if (end && grant.expires_at && end > grant.expires_at)
    throw createOnlyLessError(`its access ends at ${grant.expires_at.toISOString()}`);
  if (end && end <= now) throw new AppError('invalid_input', 'expires_at: is in the past. Use end_connected_client.');
  return {
    ...(fewer && { scopes: [...new Set(fewer)] }),
    ...(toolsets && { toolsets: [...new Set(toolsets)] }),
    ...(reach && { reach }),
    ...(end && { expires_at: end }),
    ...(is_paused !== undefined && { paused_at: is_paused ? (grant.paused_at ?? now) : null }),
  };
}

function createOnlyLessError(why: string): AppError {
  return new AppError(
    'invalid_input',
    `A connected client can only be restricted, and ${why}. Connect it again instead.`,
  );
}
