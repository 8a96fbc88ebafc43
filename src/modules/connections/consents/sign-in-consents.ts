// Consents for signing in with a provider. The accounts module matches them to people.
import { memoizePerServer } from '#kernel/module';
import type { Db, Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { findFirstWorkspaceId, type Account } from '#modules/accounts';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { runAsSystem } from '#platform/database';
import { parseBodyJson, type Egress } from '#platform/egress';
import { generateSecret } from '#platform/one-time-secrets';
import type { Vault } from '#platform/vault';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { getClients, type Clients } from '../clients/clients.ts';
import { beginConsent, isStateOfKind, takeConsent, findConsentWorkspaceId } from './consents.ts';
import { buildAuthorizationUrl, exchangeCode, InvalidGrant, type OAuthClient } from '../clients/oauth-client.ts';
import { readOidcAccount, discoverOidcPage, type OidcClient } from './oidc.ts';
import type { RequestFacts, SignInFacts } from '#kernel/provider';
import { fillRequest, findFilledText, getValueAt } from '../clients/request-facts.ts';
import { dropOldestConsents } from '../store/consents.ts';

/** A provider's claims about the person who gave consent. */
export type ProviderClaims = SignInConsent & { account: Account };

type SignInConsent = {
  provider: string;
  /** The workspace to sign in to. Null: none was named. */
  workspaceId: string | null;
  /** The workspace whose OAuth client may be used in addition to the server's. */
  clientOf: string | null;
  returnTo: string;
  /** The session in which the account is linked; null: it signs in. */
  linksFor: string | null;
  /** The nonce that an OpenID Connect issuer must return. */
  nonce: string;
};

export type SignInConsents = {
  /** Providers with which people sign in to a workspace, or to the server when none is named. */
  offered(workspaceId: string | null): Promise<{ name: string; label: string }[]>;
  /** The URL for the browser, and the secret that it keeps. */
  begin(asked: Omit<SignInConsent, 'nonce'>): Promise<{ url: string; browser: string }>;
  /** Whether a returned state belongs to a sign-in consent. */
  isOurs(state: string): boolean;
  /**
   * Consumes a consent, in the browser that started it. The tokens are dropped but not revoked, because revoking would
   * also end an account that the person linked with the same client.
   */
  finish(callback: { state: string; code: string; browser: string; iss?: string | undefined }): Promise<ProviderClaims>;
};

type Options = {
  db: Kysely<unknown>;
  transactions: Transactions;
  vault: Vault;
  egress: Egress;
  clients: Clients;
  oidc: OidcClient | null;
  now: () => Date;
  newId: () => string;
};

const livesMs = 10 * 60 * 1000;
const kind = 'sign_in';
const oidcName = 'oidc';
/**
 * Anybody may start a sign-in and leave it unfinished: beyond a limit the oldest end, so that nobody can lock others
 * out.
 */
const mostUnfinished = 5_000;

function createSignInConsents(options: Options): SignInConsents {
  const { db, transactions, vault, clients, oidc, now, newId } = options;

  /** A consent belongs to the workspace that is named, or to the first one, which serves the whole server. */
  async function findKeeper(workspaceId: string | null): Promise<string> {
    const keeper = workspaceId ?? (await runAsSystem(db, findFirstWorkspaceId));
    if (!keeper) throw createSignInNotOfferedError();
    return keeper;
  }

  async function buildUrl(bound: Db, { provider, clientOf }: SignInConsent, asked: ConsentSecrets): Promise<string> {
    const { client, facts } = await findSignInClient(clients, bound, provider, clientOf);
    const scopes = [...client.oauth.scopes.always, ...(facts.scopes ?? [])];
    const authorizeParams = facts.authorizeParams ?? client.oauth.authorizeParams;
    return buildAuthorizationUrl({ ...client, oauth: { ...client.oauth, authorizeParams } }, { scopes, ...asked });
  }

  return {
    async offered(workspaceId) {
      const ofServer = clients.listed.filter(({ name, signIn }) => signIn && clients.ofServer(name));
      const ofWorkspace = workspaceId
        ? await transactions.run(workspaceId, 'read', async (bound) =>
            (await clients.all(bound)).filter(
              ({ provider, origin }) => provider.signIn?.clients === 'any' && origin !== 'none',
            ),
          )
        : [];
      const all = [
        ...ofServer,
        ...ofWorkspace.map(({ provider }) => provider),
        ...(oidc ? [{ name: oidcName, ...oidc }] : []),
      ];
      return [...new Map(all.map(({ name, label }) => [name, { name, label }])).values()];
    },

    async begin(asked) {
      const keeper = await findKeeper(asked.clientOf);
      const kept: SignInConsent = { ...asked, nonce: generateSecret() };
      const issuer = asked.provider === oidcName && oidc ? await discoverOidcPage(options.egress, oidc) : null;
      return transactions.run(keeper, 'write', async (bound) => {
        const at = now();
        await dropOldestConsents(bound, kind, mostUnfinished);
        const [id, browser, expiresAt] = [newId(), generateSecret(), new Date(at.getTime() + livesMs)];
        const begun = { kind, id, workspaceId: keeper, browser, at, expiresAt, kept } as const;
        const url = (given: ConsentSecrets) =>
          issuer?.({ ...given, nonce: kept.nonce }) ?? buildUrl(bound, kept, given);
        return { url: await beginConsent(bound, vault, { ...begun, url }), browser };
      });
    },

    isOurs: (state) => isStateOfKind(kind, state),

    async finish({ state, code, browser, iss }) {
      const { kept, codeVerifier, client, facts } = await take(options, state, browser);
      if (!client) {
        if (!oidc) throw createConsentOverError();
        const callback = { code, state, iss, codeVerifier, nonce: kept.nonce };
        return { ...kept, account: { ...(await readOidcAccount(options.egress, oidc, callback)), provider: oidcName } };
      }
      const tokens = await exchangeCode(options.egress, client, { code, state, codeVerifier }).catch(ignoreEndedGrant);
      if (!tokens) throw createConsentOverError();
      return { ...kept, account: await readAccount(options, client, facts, tokens.accessToken) };
    },
  };
}

type ConsentSecrets = { state: string; codeVerifier: string };

/**
 * The client for signing in with a provider: the workspace's own only where that is allowed. Throws when there is none.
 */
async function findSignInClient(
  clients: Clients,
  db: Db,
  provider: string,
  workspaceId: string | null,
): Promise<{ client: OAuthClient; facts: SignInFacts }> {
  const facts = clients.listed.find(({ name }) => name === provider)?.signIn;
  const isOwn = facts?.clients === 'any' && workspaceId !== null;
  const client = isOwn ? await clients.find(db, workspaceId, provider) : clients.ofServer(provider);
  if (!facts || !client) throw createSignInNotOfferedError();
  return { client, facts };
}

async function take({ db, transactions, vault, clients, now }: Options, state: string, browser: string) {
  const keeper = await findConsentWorkspaceId(db, kind, state);
  if (!keeper) throw createConsentOverError();
  return transactions.run(keeper, 'write', async (bound) => {
    const taken = await takeConsent<SignInConsent>(bound, vault, { kind, state, browser, at: now() });
    if (!taken) throw createConsentOverError();
    const { provider, clientOf } = taken.kept;
    if (provider === oidcName) return { ...taken, client: null, facts: null };
    return { ...taken, ...(await findSignInClient(clients, bound, provider, clientOf)) };
  });
}

/** The identity of the account, and its verified address. */
async function readAccount(options: Options, client: OAuthClient, facts: SignInFacts, token: string): Promise<Account> {
  const { identity, label, name: provider } = client.provider;
  if (!identity) throw new Error(`${provider} does not name the owner of an account`);
  const answer = await requestAccountFacts(options, client, identity.request, token);
  const subject = findFilledText(answer, [facts.subject]);
  if (!subject) throw new AppError('upstream_failed', `${label} did not name the owner of this account.`);
  const account = findFilledText(answer, facts.account) ?? label;
  const email = facts.addresses
    ? findPrimaryEmail(await requestAccountFacts(options, client, facts.addresses, token))
    : findVerifiedEmail(answer, facts.address);
  return { issuer: client.oauth.issuer, subject, provider, label: `${label} (${account.slice(0, 200)})`, email };
}

async function requestAccountFacts(
  { egress }: Options,
  client: OAuthClient,
  facts: RequestFacts,
  token: string,
): Promise<unknown> {
  const response = await egress.request({ ...fillRequest(facts, { token }, client.baseUrl), timeoutMs: 15_000 });
  if (response.status === 200) return parseBodyJson(response);
  throw new AppError('upstream_failed', `${client.provider.label} did not name the owner of this account.`);
}

function findVerifiedEmail(answer: unknown, address: SignInFacts['address']): string | null {
  if (!address || getValueAt(answer, address.isVerifiedAt) !== true) return null;
  return findFilledText(answer, [address.email]) ?? null;
}

const addressList = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

function findPrimaryEmail(answer: unknown): string | null {
  const parsed = addressList.safeParse(answer);
  return parsed.data?.find(({ primary, verified }) => primary && verified)?.email ?? null;
}

function ignoreEndedGrant(error: unknown): null {
  if (error instanceof InvalidGrant) return null;
  throw error;
}

function createConsentOverError(): AppError {
  return new AppError(
    'conflict',
    'This consent was used, has expired, or was started in another browser. Start again.',
  );
}

function createSignInNotOfferedError(): AppError {
  return new AppError('not_found', 'This sign-in method is not set up here. Ask the operator of this server.');
}

/** Sign-in with accounts at providers. */
export const getSignInConsents = memoizePerServer((ground: Ground) => {
  const clients = getClients(ground);
  const { oidc } = ground.config;
  return createSignInConsents({
    ...ground,
    clients,
    oidc: oidc && { ...oidc, redirectUri: clients.redirectUri },
    now,
    newId,
  });
});
