import { trimLetters } from '#kernel/trim-end';
import { isDeepStrictEqual } from 'node:util';
import type { AfterCommitContext, Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import type { Egress } from '#platform/egress';
import { z } from 'zod';
import type { Clients } from '../clients/clients.ts';
import { takeConsent } from '../consents/consents.ts';
import { readIdentity } from '../clients/identity.ts';
import { linkAccount, type AccountKeeping } from '../accounts/link-account.ts';
import { exchangeCode, InvalidGrant, type OAuthClient } from '../clients/oauth-client.ts';
import type { ConnectionRow } from '../store/connections.ts';
import { lockProviderConfig } from '../store/provider-configs.ts';
import type { LinkingState } from './start-oauth.ts';

type StartedLinking = { client: OAuthClient; codeVerifier: string; begun: LinkingState };

const output = z.object({
  connection_id: z.uuid(),
  source: z.string(),
  account: z.string(),
  return_to: z.string(),
  sync_id: z.uuid().nullable().describe('The sync of the account, if one was requested.'),
  sync_error: z.string().nullable().describe('Why the requested sync did not start.'),
});

/** Starts the sync of an account that was just linked. Null: the source has none. Throws when it may not be read. */
export type BeginSync = (ctx: Context, of: { connectionId: string; source: string }) => Promise<string | null>;

type Options = AccountKeeping & { clients: Clients; egress: Egress; beginSync: BeginSync };

export function finishOauth(options: Options) {
  const { clients, vault, egress } = options;
  return defineOperation({
    name: 'finish_oauth',
    summary: "Finish linking an account with the provider's redirect to this browser.",
    toolset: 'accounts',
    effect: 'write',
    access: { scope: 'connections:write', isForPeople: true },
    input: z.strictObject({
      code: z.string().min(1).max(4_000).optional(),
      state: z.string().min(1).max(200),
      error: z.string().min(1).max(200).optional().describe("The provider's error, instead of a code."),
    }),
    output,
    errors: ['forbidden', 'conflict', 'upstream_failed', 'unavailable'],
    examples: [{ title: 'The callback', input: { code: '4/0AX…', state: 'from start_oauth' } }],

    async run(ctx, { state }): Promise<StartedLinking> {
      const { workspaceId, id: browser } = ctx.caller;
      const presented = { kind: 'account', state, browser, at: ctx.now } as const;
      const taken = await takeConsent<LinkingState>(ctx.db, vault, presented);
      if (!taken) throw createStateGoneError();
      const { kept: begun, codeVerifier } = taken;
      return { client: await clients.get(ctx.db, workspaceId, begun.provider), codeVerifier, begun };
    },

    async afterCommit(ctx, { client, codeVerifier, begun }, { code, state, error }) {
      const { provider, baseUrl } = client;
      const { tokens, identity } = await withReturnTo(client, begun, async () => {
        if (!code) throw createConsentRefusedError(client, error);
        const given = await exchangeCode(egress, client, { code, state, codeVerifier });
        const token = given.accessToken;
        return {
          tokens: given,
          identity: await readIdentity(egress, { provider, kind: 'oauth', baseUrl, settings: {}, token }, 'linking'),
        };
      });
      const linking = {
        provider: provider.name,
        kind: 'oauth' as const,
        isShared: begun.isShared,
        identity,
        // An answer without scopes has granted the requested ones (RFC 6749 §5.1).
        scopes: tokens.scopes ?? begun.scopes,
        settings: {},
        tokens,
      };
      const row = await ctx.transact(async (inner) => {
        await checkSame(inner.db, clients, client);
        return linkAccount(inner, options, linking);
      });
      const began = begun.sync ? await beginSync(ctx, options, { row, begun }) : nothingBegun;
      const { id: connection_id, account } = row;
      return { connection_id, source: begun.source, account, return_to: begun.returnTo, ...began };
    },
  });
}

const nothingBegun = { sync_id: null, sync_error: null };

/** The account stays linked, even if its sync cannot start. */
async function beginSync(
  ctx: AfterCommitContext,
  options: Options,
  { row, begun }: { row: ConnectionRow; begun: LinkingState },
): Promise<{ sync_id: string | null; sync_error: string | null }> {
  try {
    const of = { connectionId: row.id, source: begun.source };
    return { ...nothingBegun, sync_id: await ctx.transact((inner) => options.beginSync(inner, of)) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...nothingBegun, sync_error: error.message };
  }
}

/** Throws when the provider's addresses changed since the consent, because the person consented to the former ones. */
async function checkSame(db: Db, clients: Clients, { provider }: OAuthClient): Promise<void> {
  if (clients.isListed(provider.name)) return;
  await lockProviderConfig(db, provider.name);
  if (isDeepStrictEqual(await clients.provider(db, provider.name), provider)) return;
  throw new AppError('conflict', `${provider.label} was changed at this moment. Link the account again.`);
}

/** Adds the page where the person started to every error, so that the browser returns there. */
async function withReturnTo<T>(
  client: OAuthClient,
  { returnTo: return_to }: LinkingState,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const known = error instanceof InvalidGrant ? createCodeRefusedError(client, error) : error;
    if (!(known instanceof AppError)) throw known;
    throw new AppError(known.code, known.message, { ...known.details, return_to }, { cause: known });
  }
}

function createConsentRefusedError({ provider: { label } }: OAuthClient, error: string | undefined): AppError {
  const isDeclined = error === 'access_denied' || error === undefined;
  return new AppError(
    'conflict',
    isDeclined
      ? `Nothing was linked: access was declined at ${label}. Start again to allow it.`
      : `${label} refused: ${error}. Compare the OAuth client with what is set up at ${label}.`,
  );
}

function createCodeRefusedError({ provider: { label } }: OAuthClient, cause: InvalidGrant): AppError {
  const said = trimLetters(cause.message.trimEnd(), '. ');
  const advice = 'Start again. If that does not help, compare the redirect URI there.';
  return new AppError('conflict', `${label} did not accept its own code: ${said}. ${advice}`, {}, { cause });
}

function createStateGoneError(): AppError {
  return new AppError(
    'conflict',
    'This consent was used, has expired, or was started in another browser. Start again on the integrations page.',
  );
}
