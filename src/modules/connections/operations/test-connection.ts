import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { checkReadOfAny, type ReadRuling } from '#modules/policy';
import { EgressError, type Diagnostics, type Egress } from '#platform/egress';
import { z } from 'zod';
import type { Clients } from '../clients/clients.ts';
import { AccessRefused, readIdentity, type Identity } from '../clients/identity.ts';
import { buildConnectionChanged } from '../events.ts';
import { connectionId } from '../ids.ts';
import type { SourceAccess } from './start-oauth.ts';
import { findConnection, recordError, rename, type ConnectionRow } from '../store/connections.ts';
import type { Provider } from '#kernel/provider';
import type { TokenSource } from '#kernel/provider-access';

const output = z.object({
  connection_id: z.uuid(),
  ok: z.boolean(),
  account: z.string().nullable().describe("The account's present name at the provider."),
  message: z.string(),
  took_ms: z.number().int(),
  diagnostics: z
    .object({
      status: z.number().int().optional(),
      errorCategory: z.string(),
      providerMessage: z.string().optional(),
      resolution: z.string(),
      retryable: z.boolean(),
      builderCanRepair: z.boolean(),
      retryAfterSeconds: z.number().optional(),
    })
    .optional(),
});

const unasked = 'Its access seems valid. The provider has no userinfo_url, so it could not be checked there.';

type TestedConnection = { row: ConnectionRow; provider: Provider | undefined; ruling: ReadRuling };

/** The outcome of the test. */
type Outcome = { identity: Identity } | { error: AppError };

type Options = {
  clients: Clients;
  tokens: TokenSource;
  egress: Egress;
  /** The provider of each source. */
  sources: ReadonlyMap<string, Pick<SourceAccess, 'provider'>>;
};

export function testConnection(options: Options) {
  return defineOperation({
    name: 'test_connection',
    summary: 'Check at the provider whether a linked account works, with the same rules as real calls.',
    toolset: 'accounts',
    effect: 'external_read',
    access: { scope: 'connections:read' },
    rest: [{ method: 'POST', path: '/v1/connected-accounts/{connection_id}/test' }],
    input: z.strictObject({ connection_id: connectionId }),
    output,
    errors: ['not_found', 'forbidden'],
    examples: [{ title: 'Does it work?', input: { connection_id: createExampleId('connection') } }],

    async run(ctx, { connection_id }): Promise<TestedConnection> {
      const row = await findConnection(ctx.db, connection_id);
      if (!row) throw new Error('a connection that was just found is missing');
      const sources = [...options.sources]
        .filter(([, { provider }]) => provider === row.provider)
        .map(([name]) => name);
      const ruling = await checkReadOfAny(ctx, sources.length ? sources : [row.provider], row.account);
      return { row, provider: await options.clients.provider(ctx.db, row.provider), ruling };
    },

    async afterCommit(ctx, tested) {
      const { row } = tested;
      const startedAt = performance.now();
      const outcome = await tryOut(options, tested);
      const took_ms = Math.round(performance.now() - startedAt);
      const error = 'error' in outcome ? outcome.error : null;
      if (error || row.last_error) {
        await ctx.transact(async ({ db, now, emit }) => {
          await recordError(db, row.id, error?.message.slice(0, 500) ?? null, now);
          await emit(buildConnectionChanged(row));
        });
      }
      if (error) return { ...presentFailure(error), connection_id: row.id, took_ms };
      const { account, isAsked = true } = (outcome as { identity: Identity }).identity; // the other outcome returned above
      if (account !== row.account) {
        await ctx.transact(async ({ db, emit }) => {
          await rename(db, row.id, account);
          await emit(buildConnectionChanged(row));
        });
      }
      const message = isAsked ? `It works: ${account} answered.` : unasked;
      return { connection_id: row.id, ok: true, account, message, took_ms };
    },
  });
}

/** Uses the same token as real calls, and renews a rejected one once, as they do. */
async function tryOut(
  { clients, tokens, egress }: Options,
  { row, provider, ruling }: TestedConnection,
): Promise<Outcome> {
  if (!provider) return { error: new AppError('unavailable', `This server no longer knows ${row.provider}.`) };
  const { kind, settings, workspace_id: workspaceId } = row;
  const ask = (token: string) =>
    readIdentity(egress, { provider, kind, settings, token, baseUrl: clients.findBaseUrl(row.provider) }, ruling);
  try {
    const token = await tokens.accessToken(workspaceId, row.id);
    const identity = await ask(token).catch(async (error: unknown) => {
      if (!(error instanceof AccessRefused) || error.diagnostics.errorCategory !== 'auth') throw error;
      return ask(await tokens.accessToken(workspaceId, row.id, token));
    });
    return { identity };
  } catch (error) {
    if (error instanceof AppError) return { error };
    throw error;
  }
}

function presentFailure(error: AppError) {
  const diagnostics =
    error instanceof EgressError || error instanceof AccessRefused
      ? (error.diagnostics satisfies Diagnostics)
      : undefined;
  return { ok: false, account: null, message: error.message, ...(diagnostics && { diagnostics }) };
}
