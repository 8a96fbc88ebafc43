// Lets somebody prove by an account of a provider which mail address is theirs. Who that is here, accounts knows.
import { perServer } from '#kernel/module';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import type { Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { bodyJson, type Egress } from '#platform/egress';
import { randomSecret } from '#platform/one-time-secrets';
import type { Vault } from '#platform/vault';
import type { Kysely } from 'kysely';
import { clientsOf, type Clients } from './clients.ts';
import { beginConsent, isStateOf, takeConsent, workspaceOfConsent } from './consents.ts';
import { authorizationUrl, exchangeCode, InvalidGrant, type OAuthClient } from './oauth-client.ts';
import type { Provider } from './providers/provider.ts';
import { requestOf, textOf, valueAt } from './request-facts.ts';
import { countConsents } from './store/consents.ts';

/** What a provider has told of somebody who agreed there; null when it vouches for no address. */
export type Vouched = { workspaceId: string; label: string; email: string | null; returnTo: string };

export type SignInConsents = {
  /** Providers by which people sign in to a workspace, because it has an OAuth client there. */
  offered(workspaceId: string): Promise<{ name: string; label: string }[]>;
  /** Where the browser goes, and what it keeps to be known again. */
  begin(asked: { workspaceId: string; provider: string; returnTo: string }): Promise<{ url: string; browser: string }>;
  /** Whether a state that came back is of a consent for signing in. */
  isOurs(state: string): boolean;
  /**
   * Uses a consent up, in the browser that began it. The tokens are forgotten, for nothing is linked by this; they are not
   * ended at the provider, since that would end those of an account that the person has linked with the same client.
   */
  finish(callback: { state: string; code: string; browser: string }): Promise<Vouched>;
};

type Options = {
  db: Kysely<unknown>;
  transactions: Transactions;
  vault: Vault;
  egress: Egress;
  clients: Clients;
  now: () => Date;
  newId: () => string;
};

const livesMs = 10 * 60 * 1000;
const kind = 'sign_in';
/** Anybody may begin one; so many unfinished ones are nobody's. */
const mostUnfinished = 1_000;

type Kept = { workspaceId: string; provider: string; returnTo: string };

function createSignInConsents(options: Options): SignInConsents {
  const { transactions, vault, clients, now, newId } = options;
  return {
    offered: (workspaceId) =>
      transactions.run(workspaceId, 'read', async (db) => {
        const offered = (await clients.all(db)).filter(({ provider, origin }) => provider.signIn && origin !== 'none');
        return offered.map(({ provider: { name, label } }) => ({ name, label }));
      }),

    begin: ({ workspaceId, provider, returnTo }) =>
      transactions.run(workspaceId, 'write', async (db) => {
        const client = await clients.find(db, workspaceId, provider);
        if (!client?.provider.signIn) throw notOffered();
        const at = now();
        if ((await countConsents(db, kind, at)) >= mostUnfinished) throw tooMany();
        const [id, browser, expiresAt] = [newId(), randomSecret(), new Date(at.getTime() + livesMs)];
        const scopes = client.oauth.scopes.always;
        const kept: Kept = { workspaceId, provider, returnTo };
        const begun = { kind, id, workspaceId, browser, at, expiresAt, kept } as const;
        const url = (asked: { state: string; codeVerifier: string }) => authorizationUrl(client, { scopes, ...asked });
        return { url: await beginConsent(db, vault, { ...begun, url }), browser };
      }),

    isOurs: (state) => isStateOf(kind, state),

    async finish({ state, code, browser }) {
      const { kept, client, codeVerifier } = await take(options, state, browser);
      const tokens = await exchangeCode(options.egress, client, { code, state, codeVerifier }).catch(unlessEnded);
      if (!tokens) throw over();
      const email = await readEmail(options, client, tokens.accessToken);
      const { workspaceId, returnTo } = kept;
      return { workspaceId, label: client.provider.label, email, returnTo };
    },
  };
}

async function take({ db, transactions, vault, clients, now }: Options, state: string, browser: string) {
  const workspaceId = await workspaceOfConsent(db, kind, state);
  if (!workspaceId) throw over();
  return transactions.run(workspaceId, 'write', async (bound) => {
    const taken = await takeConsent<Kept>(bound, vault, { kind, state, browser, at: now() });
    if (!taken) throw over();
    return { ...taken, client: await clients.get(bound, workspaceId, taken.kept.provider) };
  });
}

/** The address that the provider has checked; null when it has not, or tells none. */
async function readEmail({ egress }: Options, client: OAuthClient, token: string): Promise<string | null> {
  const { identity, signIn, label }: Provider = client.provider;
  if (!identity || !signIn) return null;
  const response = await egress.request({
    ...requestOf(identity.request, { token }, client.baseUrl),
    timeoutMs: 15_000,
  });
  if (response.status !== 200) throw new AppError('upstream_failed', `${label} did not tell whose account this is.`);
  const answer = bodyJson(response);
  return valueAt(answer, signIn.isVerifiedAt) === true ? (textOf(answer, [signIn.email]) ?? null) : null;
}

function unlessEnded(error: unknown): null {
  if (error instanceof InvalidGrant) return null;
  throw error;
}

function over(): AppError {
  return new AppError('conflict', 'This consent was used, has expired, or was begun in another browser. Begin again.');
}

function notOffered(): AppError {
  return new AppError('not_found', 'Nobody signs in that way here. Ask who runs this server.');
}

function tooMany(): AppError {
  return new AppError('rate_limited', 'Too many people sign in at this moment. Try again in ten minutes.');
}

/** Accounts at providers by which people sign in to this server. */
export const signInConsentsOf = perServer((ground: Ground) =>
  createSignInConsents({ ...ground, clients: clientsOf(ground), now, newId }),
);
