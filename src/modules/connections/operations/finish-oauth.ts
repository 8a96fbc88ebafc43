import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import type { Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { connectionChanged } from '../events.ts';
import { readIdentity } from '../identity.ts';
import { exchangeCode, type OAuthClient } from '../oauth-client.ts';
import { upsertAccount } from '../store/connections.ts';
import { takeState } from '../store/oauth.ts';
import { sealAndStore } from '../tokens.ts';
import { hashState } from './start-oauth.ts';

type Begun = { client: OAuthClient; codeVerifier: string; source: string; returnTo: string };

export function finishOauth(options: { clients: Clients; vault: Vault; egress: Egress; now: () => Date }) {
  const { clients, vault, egress, now } = options;
  return defineOperation({
    name: 'finish_oauth',
    summary: 'Finish linking an account with what the provider sent back to this browser.',
    toolset: 'accounts',
    effect: 'write',
    access: { scope: 'connections:write' },
    input: z.strictObject({ code: z.string().min(1).max(4_000), state: z.string().min(1).max(200) }),
    output: z.object({ connection_id: z.uuid(), source: z.string(), account: z.string(), return_to: z.string() }),
    errors: ['conflict', 'upstream_failed', 'unavailable'],
    examples: [{ title: 'What the callback does', input: { code: '4/0AX…', state: 'from start_oauth' } }],

    async run(ctx, { state }): Promise<Begun> {
      const { workspaceId, id: sessionId } = ctx.caller;
      const begun = await takeState(ctx.db, hashState(state), sessionId, ctx.now);
      if (!begun) throw stateGone();
      const place = { workspaceId, table: 'oauth_states', row: begun.id, column: 'code_verifier' };
      return {
        client: await clients.get(ctx.db, workspaceId, begun.provider),
        codeVerifier: await vault.open(ctx.db, place, begun.code_verifier),
        source: begun.source,
        returnTo: begun.return_to,
      };
    },

    async settle(ctx, { client, codeVerifier, source, returnTo }, { code, state }) {
      const tokens = await exchangeCode(egress, client, { code, state, codeVerifier });
      const identity = await readIdentity(egress, client, tokens.accessToken);
      const connectionId = await ctx.transact(async (inner) => {
        const { workspaceId, personId } = inner.caller;
        const id = await upsertAccount(inner.db, {
          ...identity,
          id: inner.newId(),
          workspaceId,
          personId,
          provider: client.provider.name,
          scopes: tokens.scopes,
          at: inner.now,
        });
        await sealAndStore({ vault, now }, inner.db, { id, workspace_id: workspaceId }, tokens, null);
        await inner.emit(connectionChanged({ connection_id: id, status: 'active' }, { personId }));
        return id;
      });
      return { connection_id: connectionId, source, account: identity.account, return_to: returnTo };
    },
  });
}

function stateGone(): AppError {
  return new AppError(
    'conflict',
    'This consent was used, has expired, or was begun in another browser. Begin again on the integrations page.',
  );
}
