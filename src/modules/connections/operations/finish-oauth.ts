import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import type { Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { readIdentity } from '../identity.ts';
import { linkAccount, type OnLinked } from '../link-account.ts';
import { exchangeCode, type OAuthClient } from '../oauth-client.ts';
import { takeState, type StateRow } from '../store/oauth.ts';
import { hashState } from './start-oauth.ts';

type Begun = { client: OAuthClient; codeVerifier: string; state: StateRow };

export function finishOauth(options: {
  clients: Clients;
  vault: Vault;
  egress: Egress;
  onLinked: OnLinked;
  now: () => Date;
}) {
  const { clients, vault, egress, onLinked, now } = options;
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
        state: begun,
      };
    },

    async settle(ctx, { client, codeVerifier, state: begun }, { code, state }) {
      const { provider, baseUrl } = client;
      const tokens = await exchangeCode(egress, client, { code, state, codeVerifier });
      const token = tokens.accessToken;
      const identity = await readIdentity(egress, { provider, kind: 'oauth', baseUrl, settings: {}, token });
      const row = await ctx.transact((inner) =>
        linkAccount(
          inner,
          { vault, now, onLinked },
          {
            provider: provider.name,
            kind: 'oauth',
            isShared: begun.is_shared,
            identity,
            // An answer without scopes has granted what was asked for (RFC 6749 §5.1).
            scopes: tokens.scopes ?? begun.scopes,
            settings: {},
            tokens,
          },
        ),
      );
      return { connection_id: row.id, source: begun.source, account: row.account, return_to: begun.return_to };
    },
  });
}

function stateGone(): AppError {
  return new AppError(
    'conflict',
    'This consent was used, has expired, or was begun in another browser. Begin again on the integrations page.',
  );
}
