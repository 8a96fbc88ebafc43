// Consents under way: begun and finished by one browser, once, with all they need sealed in between.
import { perServer } from '#kernel/module';
import { createAskConsent } from '#modules/connections';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import type { Db, Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { readPresented } from '#platform/database';
import type { Vault } from '#platform/vault';
import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { ConsentPlace } from './consent-plan.ts';
import { hashToken } from './links.ts';
import { deleteConsent, findConsentByState, insertConsent, takeConsent } from './store/links.ts';

/** What a provider gave. */
export type ConsentTokens = {
  accessToken: string;
  refreshToken: string | null;
  /** Null: it does not end. */
  expiresInSeconds: number | null;
  /** Null: the provider did not say. */
  scopes: string[] | null;
};

/** An OAuth client at a place of consent. `baseUrl` stands in for its hosts, where the operator set one. */
export type ConsentClient = Omit<ConsentPlace, 'known' | 'apiHosts'> & {
  baseUrl: string | null;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
};

/** How a provider is asked. */
export type AskConsent = {
  url(
    client: ConsentClient,
    asked: { scopes: readonly string[]; state: string; codeVerifier: string },
  ): Promise<string>;
  tokens(
    client: ConsentClient,
    callback: { code: string; state: string; codeVerifier: string },
  ): Promise<ConsentTokens>;
};

/** Which page a provider sends the browser back to. */
export type Callback = 'bundle' | 'playground';

type Begun<Kept> = {
  workspaceId: string;
  linkId: string | null;
  personId: string | null;
  place: ConsentPlace;
  scopes: readonly string[];
  clientId: string;
  clientSecret: string;
  callback: Callback;
  state: string;
  /** What only the browser that begins it knows. */
  browser: string;
  expiresAt: Date;
  /** What is needed when it is finished; it is sealed until then. */
  kept: Kept;
};

type Sealed<Kept> = {
  place: ConsentPlace;
  clientId: string;
  clientSecret: string;
  callback: Callback;
  codeVerifier: string;
  kept: Kept;
};

/** A consent that was given: its tokens, and what was kept with it. */
export type AskedConsent<Kept = unknown> = {
  id: string;
  workspaceId: string;
  personId: string | null;
  place: ConsentPlace;
  clientId: string;
  clientSecret: string;
  tokens: ConsentTokens;
  kept: Kept;
};

export type Consents = {
  /** Throws when the place is none that this server would ask. Names are looked up, so that no transaction may be open. */
  check(place: ConsentPlace): Promise<void>;
  /** Keeps what is needed, sealed, and answers the address of the consent page. */
  begin<Kept>(db: Db, begun: Begun<Kept>): Promise<string>;
  /** Trades the code for tokens. Throws `conflict` when the state was used, has expired or is of another browser. */
  finish<Kept>(callback: { code: string; state: string; browser: string }): Promise<AskedConsent<Kept>>;
  /** Forgets a consent and all that was kept with it. */
  remove(db: Db, id: string): Promise<void>;
  /** The host of the token endpoint. */
  hostOf(place: ConsentPlace): string;
  /** Where its access tokens are used: as known of the provider, or where its token endpoint is, until a person says otherwise. */
  apiHostsOf(place: ConsentPlace): readonly string[];
};

type Options = {
  db: Kysely<unknown>;
  transactions: Transactions;
  vault: Vault;
  ask: AskConsent;
  /** Throws when an address is none that this server would ask: a browser is sent to no other either (SE-060). */
  checkAddress: (url: string) => Promise<void>;
  /** What stands in for the hosts of known providers, by their names. */
  baseUrls: Readonly<Record<string, string | null>>;
  redirectUris: Readonly<Record<Callback, string>>;
  now: () => Date;
  newId: () => string;
};

function createConsents(options: Options): Consents {
  const { db, transactions, vault, ask, checkAddress, baseUrls, redirectUris, now, newId } = options;
  const baseUrlOf = ({ known }: ConsentPlace) => (known ? (baseUrls[known] ?? null) : null);
  const hostOf = (place: ConsentPlace) => new URL(baseUrlOf(place) ?? place.tokenUrl).host;
  const clientOf = ({ place, clientId, clientSecret, callback }: Omit<Sealed<unknown>, 'codeVerifier' | 'kept'>) => {
    const { known: _known, apiHosts: _hosts, ...addresses } = place;
    return { ...addresses, baseUrl: baseUrlOf(place), clientId, clientSecret, redirectUri: redirectUris[callback] };
  };

  return {
    check: async (place) => void (baseUrlOf(place) ?? (await checkBoth(place, checkAddress))),
    async begin(bound, { workspaceId, linkId, personId, scopes, state, browser, expiresAt, ...rest }) {
      const [id, codeVerifier] = [newId(), randomBytes(32).toString('base64url')];
      const { place, clientId, clientSecret, callback, kept } = rest;
      const sealed = JSON.stringify({ place, clientId, clientSecret, callback, codeVerifier, kept });
      await insertConsent(bound, {
        id,
        workspace_id: workspaceId,
        link_id: linkId,
        person_id: personId,
        state_hash: hashToken(state),
        bound_hash: hashToken(browser),
        sealed: await vault.seal(bound, sealedAt(workspaceId, id), sealed),
        created_at: now(),
        expires_at: expiresAt,
      });
      return ask.url(clientOf(rest), { scopes, state, codeVerifier });
    },

    async finish<Kept>({ code, state, browser }: { code: string; state: string; browser: string }) {
      const hash = hashToken(state);
      const found = await readPresented(db, hash, (presented) => findConsentByState(presented, hash));
      if (!found) throw gone();
      const { workspace_id: workspaceId } = found;
      const begun = await transactions.run(workspaceId, 'write', async (bound) => {
        const row = await takeConsent(bound, hash, hashToken(browser), now());
        if (!row) throw gone();
        const text = await vault.open(bound, sealedAt(workspaceId, row.id), row.sealed);
        return { row, sealed: JSON.parse(text) as Sealed<Kept> }; // sealed by `begin`
      });
      const { codeVerifier, kept, ...rest } = begun.sealed;
      const { id, person_id: personId } = begun.row;
      try {
        const tokens = await ask.tokens(clientOf(rest), { code, state, codeVerifier });
        return { id, workspaceId, personId, ...rest, tokens, kept };
      } catch (error) {
        await transactions.run(workspaceId, 'write', (bound) => deleteConsent(bound, id));
        throw error;
      }
    },

    remove: deleteConsent,
    hostOf,
    apiHostsOf: (place) => (place.apiHosts.length ? place.apiHosts : [hostOf(place)]),
  };
}

/** The page and the token endpoint alike. What the operator put in their place needs no look. */
async function checkBoth({ authorizeUrl, tokenUrl }: ConsentPlace, checkAddress: (url: string) => Promise<void>) {
  for (const url of [authorizeUrl, tokenUrl]) await checkAddress(url);
}

/** Where what is kept with a consent is sealed. */
export function sealedAt(workspaceId: string, id: string) {
  return { workspaceId, table: 'variable_consents', row: id, column: 'sealed' };
}

function gone(): AppError {
  return new AppError(
    'conflict',
    'This consent was used, has expired, or was begun in another browser. Open the link once more, or begin again.',
  );
}

/** Where a provider sends the browser back to. */
export function callbacksOf(publicUrl: string): Readonly<Record<Callback, string>> {
  return { bundle: `${publicUrl}/bundle-oauth-callback`, playground: `${publicUrl}/oauth-playground/callback` };
}

/** The server's consents. */
export const consentsOf = perServer((ground: Ground) => {
  const { egress, config } = ground;
  const { google, hubspot } = config.providers;
  return createConsents({
    ...ground,
    ask: createAskConsent(egress),
    checkAddress: egress.checkResolved,
    baseUrls: { google: google.baseUrl, hubspot: hubspot.baseUrl },
    redirectUris: callbacksOf(config.publicUrl),
    now,
    newId,
  });
});
