// Lets somebody prove by an account of a provider which mail address is theirs. Who that is here, accounts knows.
import { perServer } from '#kernel/module';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { createHash, randomBytes } from 'node:crypto';
import type { Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { readPresented } from '#platform/database';
import { bodyJson, type Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import type { Kysely } from 'kysely';
import { clientsOf, type Clients } from './clients.ts';
import { authorizationUrl, exchangeCode, InvalidGrant, type OAuthClient } from './oauth-client.ts';
import type { Provider } from './providers/provider.ts';
import { requestOf, textOf, valueAt } from './request-facts.ts';
import {
  countSignInConsents,
  dropExpiredSignInConsents,
  findSignInConsent,
  insertSignInConsent,
  takeSignInConsent,
} from './store/sign-in-consents.ts';

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
const prefix = 'si_';
/** Anybody may begin one; so many unfinished ones are nobody's. */
const mostUnfinished = 1_000;

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
        await dropExpiredSignInConsents(db, at);
        if ((await countSignInConsents(db)) >= mostUnfinished) throw tooMany();
        const [id, state, browser, codeVerifier] = [newId(), `${prefix}${random()}`, random(), random()];
        await insertSignInConsent(db, {
          id,
          workspace_id: workspaceId,
          state_hash: hash(state),
          browser_hash: hash(browser),
          provider,
          code_verifier: await vault.seal(db, placeOf(workspaceId, id), codeVerifier),
          return_to: returnTo,
          created_at: at,
          expires_at: new Date(at.getTime() + livesMs),
        });
        const scopes = client.oauth.scopes.always;
        return { url: await authorizationUrl(client, { scopes, state, codeVerifier }), browser };
      }),

    isOurs: (state) => state.startsWith(prefix),

    async finish({ state, code, browser }) {
      const { row, client, codeVerifier } = await take(options, state, browser);
      const tokens = await exchangeCode(options.egress, client, { code, state, codeVerifier }).catch(unlessEnded);
      if (!tokens) throw over();
      const email = await readEmail(options, client, tokens.accessToken);
      return { workspaceId: row.workspace_id, label: client.provider.label, email, returnTo: row.return_to };
    },
  };
}

async function take({ db, transactions, vault, clients, now }: Options, state: string, browser: string) {
  const stateHash = hash(state);
  const found = await readPresented(db, stateHash, (presented) => findSignInConsent(presented, stateHash));
  if (!found) throw over();
  return transactions.run(found.workspace_id, 'write', async (bound) => {
    const row = await takeSignInConsent(bound, { stateHash, browserHash: hash(browser), at: now() });
    if (!row) throw over();
    const client = await clients.get(bound, row.workspace_id, row.provider);
    return { row, client, codeVerifier: await vault.open(bound, placeOf(row.workspace_id, row.id), row.code_verifier) };
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

function placeOf(workspaceId: string, row: string) {
  return { workspaceId, table: 'sign_in_consents', row, column: 'code_verifier' };
}

function hash(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

function random(): string {
  return randomBytes(32).toString('base64url');
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
