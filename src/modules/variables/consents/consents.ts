// Pending consents: started and finished by one browser, once, with all their data sealed in between.
import { memoizePerServer } from '#kernel/module';
import { beginConsent, createAskConsent, takeConsent, findConsentWorkspaceId } from '#modules/connections';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import type { Db, Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import type { Vault } from '#platform/vault';
import type { Kysely } from 'kysely';
import type { ConsentPlace } from './consent-plan.ts';
import { getBaseUrls } from './providers.ts';

/** The tokens from a provider. */
export type ConsentTokens = {
  accessToken: string;
  refreshToken: string | null;
  /** Null: it does not expire. */
  expiresInSeconds: number | null;
  /** Null: the provider did not return any. */
  scopes: string[] | null;
};

/** An OAuth client at a provider. `baseUrl` replaces the provider's hosts, if the operator set one. */
export type ConsentClient = Omit<ConsentPlace, 'known' | 'apiHosts'> & {
  baseUrl: string | null;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
};

/** The request to a provider. */
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

/** The page to which a provider redirects the browser. */
export type Callback = 'bundle' | 'playground';

type ConsentInput<Kept> = {
  workspaceId: string;
  /** The link of the consent, if there is one. */
  linkId?: string;
  place: ConsentPlace;
  scopes: readonly string[];
  clientId: string;
  clientSecret: string;
  callback: Callback;
  /** A value that only the browser of the consent knows. */
  browser: string;
  expiresAt: Date;
  /** The data for finishing it, sealed until then. */
  kept: Kept;
};

type SealedConsent<Kept> = Pick<ConsentInput<Kept>, 'place' | 'clientId' | 'clientSecret' | 'callback' | 'kept'>;

/** A completed consent: its tokens, and the data stored with it. */
export type AskedConsent<Kept = unknown> = {
  workspaceId: string;
  place: ConsentPlace;
  clientId: string;
  clientSecret: string;
  tokens: ConsentTokens;
  kept: Kept;
};

export type Consents = {
  /**
   * Throws for a provider address that this server would not call. Names are looked up, so no transaction may be open.
   */
  check(place: ConsentPlace): Promise<void>;
  /** Stores the sealed data, and returns the address of the consent page. */
  begin<Kept>(db: Db, begun: ConsentInput<Kept>): Promise<string>;
  /**
   * Exchanges the code for tokens. Throws `conflict` when the state was used, has expired or belongs to another
   * browser.
   */
  finish<Kept>(
    callback: Callback,
    given: { code: string; state: string; browser: string },
  ): Promise<AskedConsent<Kept>>;
  /** The host of the token endpoint. */
  getHost(place: ConsentPlace): string;
  /**
   * Where its access tokens may be used: at the known provider's API, or at the token endpoint's host, until a person
   * changes it.
   */
  listApiHosts(place: ConsentPlace): readonly string[];
};

type Options = {
  db: Kysely<unknown>;
  transactions: Transactions;
  vault: Vault;
  ask: AskConsent;
  /** Throws for an address that this server would not call: a browser is not sent there either (SE-060). */
  checkAddress: (url: string) => Promise<void>;
  /** The operator's base URLs of known providers, by name. */
  baseUrls: Readonly<Record<string, string | null>>;
  redirectUris: Readonly<Record<Callback, string>>;
  now: () => Date;
  newId: () => string;
};

function createConsents(options: Options): Consents {
  const { db, transactions, vault, ask, checkAddress, baseUrls, redirectUris, now, newId } = options;
  const findBaseUrl = ({ known }: ConsentPlace) => (known ? (baseUrls[known] ?? null) : null);
  const getHost = (place: ConsentPlace) => new URL(findBaseUrl(place) ?? place.tokenUrl).host;
  const buildClient = ({ place, clientId, clientSecret, callback }: Omit<SealedConsent<unknown>, 'kept'>) => {
    const { known: _known, apiHosts: _hosts, ...addresses } = place;
    return { ...addresses, baseUrl: findBaseUrl(place), clientId, clientSecret, redirectUri: redirectUris[callback] };
  };

  return {
    check: async (place) => void (findBaseUrl(place) ?? (await checkBoth(place, checkAddress))),
    begin(bound, { workspaceId, linkId, scopes, browser, expiresAt, ...kept }) {
      const url = (asked: { state: string; codeVerifier: string }) => ask.url(buildClient(kept), { scopes, ...asked });
      const begun = { kind: kept.callback, id: newId(), workspaceId, browser, at: now(), expiresAt, kept, url };
      return beginConsent(bound, vault, { ...begun, ...(linkId && { linkId }) });
    },

    async finish<Kept>(kind: Callback, { code, state, browser }: { code: string; state: string; browser: string }) {
      const workspaceId = await findConsentWorkspaceId(db, kind, state);
      if (!workspaceId) throw createConsentGoneError();
      const taken = await transactions.run(workspaceId, 'write', (bound) =>
        takeConsent<SealedConsent<Kept>>(bound, vault, { kind, state, browser, at: now() }),
      );
      if (!taken) throw createConsentGoneError();
      const { codeVerifier, kept: begun } = taken;
      const tokens = await ask.tokens(buildClient(begun), { code, state, codeVerifier });
      return { workspaceId, ...begun, tokens };
    },

    getHost,
    listApiHosts: (place) => (place.apiHosts.length ? place.apiHosts : [getHost(place)]),
  };
}

/** Checks the page and the token endpoint. Addresses that the operator set need no check. */
async function checkBoth({ authorizeUrl, tokenUrl }: ConsentPlace, checkAddress: (url: string) => Promise<void>) {
  for (const url of [authorizeUrl, tokenUrl]) await checkAddress(url);
}

function createConsentGoneError(): AppError {
  return new AppError(
    'conflict',
    'This consent was used, has expired, or was started in another browser. Open the link again, or start over.',
  );
}

/** Where a provider redirects the browser. */
export function getCallbackUrls(publicUrl: string): Readonly<Record<Callback, string>> {
  return { bundle: `${publicUrl}/bundle-oauth-callback`, playground: `${publicUrl}/oauth-playground/callback` };
}

/** The server's consents. */
export const getVariableConsents = memoizePerServer((ground: Ground) => {
  const { egress, config } = ground;
  return createConsents({
    ...ground,
    ask: createAskConsent(egress),
    checkAddress: egress.checkResolved,
    baseUrls: getBaseUrls(config),
    redirectUris: getCallbackUrls(config.publicUrl),
    now,
    newId,
  });
});
