import { ruleSchema } from '#kernel/rule';
import { agentScopes, scopes } from '#kernel/scopes';
import { z } from 'zod';
import type { Db } from '#kernel/database';
import { listGrantNetworks, type ConnectedClient } from '../store/grants.ts';

/** A connected client as operations return it. */
export const connectedClientShape = z.object({
  id: z.uuid(),
  client_name: z.string().describe('How the client calls itself. Nobody checked it.'),
  client_host: z.string().nullable().describe("The host it runs at; null: a program on its person's computer."),
  document_host: z.string().nullable().describe('The host that published its description; null: it registered itself.'),
  person: z.object({ id: z.uuid(), name: z.string() }),
  scopes: z.array(z.enum(scopes)),
  home_brain_id: z.uuid(),
  reach: z.enum(['owner', 'brain']),
  rules: z.array(ruleSchema).describe("Rules that restrict the workspace's policy for it."),
  beyond_default: z.array(z.enum(scopes)).describe('Scopes that a client gets only when its person ticks them.'),
  places: z
    .array(z.object({ place: z.string(), first_used_at: z.iso.datetime() }))
    .describe('Networks that it was used from, newest first, 10 at most.'),
  toolsets: z.array(z.string()).nullable().describe('The toolsets it may use; null: all.'),
  resource: z.string().describe('The address that its tokens are for.'),
  connected_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime().nullable().describe('When its access ends; null: not before somebody ends it.'),
  paused_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable().describe('When it lost its access; null: it is connected.'),
  end_reason: z.string().nullable().describe('Why it lost its access, and what to do.'),
});

const reused =
  'One of its refresh tokens was used twice, so it may have been stolen, and Thalamus disconnected the client. Connect it again if it is yours.';

type Places = Awaited<ReturnType<typeof listGrantNetworks>>;

/** Connected clients for answers. */
export async function toConnectedClients(db: Db, grants: readonly ConnectedClient[]) {
  const places = Map.groupBy(
    await listGrantNetworks(
      db,
      grants.map(({ id }) => id),
    ),
    ({ grant_id }) => grant_id,
  );
  return grants.map((grant) => toConnectedClient(grant, places.get(grant.id) ?? []));
}

function toConnectedClient(grant: ConnectedClient, places: Places): z.input<typeof connectedClientShape> {
  return {
    id: grant.id,
    client_name: grant.client_name,
    client_host: grant.client_host,
    document_host: grant.document_host,
    person: { id: grant.person_id, name: grant.person_name },
    scopes: grant.scopes,
    home_brain_id: grant.home_brain_id,
    reach: grant.reach,
    rules: grant.rules,
    beyond_default: grant.scopes.filter((scope) => !agentScopes.includes(scope)),
    places: places
      .slice(0, 10)
      .map(({ place, first_used_at }) => ({ place, first_used_at: first_used_at.toISOString() })),
    toolsets: grant.toolsets,
    resource: grant.resource,
    connected_at: (grant.connected_at ?? grant.created_at).toISOString(),
    last_used_at: grant.last_used_at?.toISOString() ?? null,
    expires_at: grant.expires_at?.toISOString() ?? null,
    paused_at: grant.paused_at?.toISOString() ?? null,
    ended_at: grant.ended_at?.toISOString() ?? null,
    end_reason: grant.end_reason === 'reuse' ? reused : null,
  };
}
