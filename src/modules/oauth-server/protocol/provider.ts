// oidc-provider, configured so that it decides nothing about people: who is signed in, what is allowed and what is
// stored is our code.
import type { Db } from '#kernel/database';
import { findPerson } from '#modules/accounts';
import { enterWorkspace, writePresented } from '#platform/database';
import type { Egress } from '#platform/egress';
import { hashSecret, generateSecret } from '#platform/one-time-secrets';
import type { Kysely } from 'kysely';
import { generateKeyPairSync, timingSafeEqual } from 'node:crypto';
import { errors, interactionPolicy, Provider, type Configuration, type JWK } from 'oidc-provider';
import { buildClientMetadata } from './client-metadata.ts';
import { createAdapter } from './adapter.ts';
import { offeredScopes } from '../clients/client-scopes.ts';
import { fetchThrough } from './fetch-through.ts';
import { authMethods } from './metadata.ts';
import { parseProtocolName } from './protocol-names.ts';
import type { Resources } from '../resources.ts';
import { routes } from './routes.ts';
import type { EndReason } from '../store/grants.ts';
import { getCurrentUnit } from './unit.ts';

const hour = 60 * 60;
/** Lifetimes, in seconds. */
const lifetimes = {
  AccessToken: 12 * hour,
  AuthorizationCode: 2 * 60,
  DeviceCode: 10 * 60,
  Grant: 3_650 * 24 * hour,
  Interaction: hour,
  RefreshToken: 30 * 24 * hour,
  Session: hour,
};

export type ProviderDeps = {
  publicUrl: string;
  isSecure: boolean;
  db: Kysely<unknown>;
  egress: Egress;
  resources: Resources;
  /** Schemes of redirect addresses that the operator allows beside the known ones. */
  moreSchemes: readonly string[];
  now: () => Date;
  endGrant(db: Db, grant: { workspaceId: string; id: string; reason: EndReason }): Promise<void>;
};

export function createProvider(deps: ProviderDeps): Provider {
  const { publicUrl } = deps;
  const provider: Provider = new Provider(publicUrl, {
    ...buildConfiguration(deps),
    adapter: createAdapter({
      ...deps,
      endReason: () => (Provider.ctx?.oidc.route === 'revocation' ? 'client' : 'reuse'),
    }),
  });
  provider.proxy = true; // `ask` sets the address of a request, from the public address
  addTokenPrefixes(provider);
  Object.assign(provider.Client.prototype, { compareClientSecret });
  return provider;
}

/** Secrets of clients are stored as hashes. */
function compareClientSecret(this: { clientSecret?: string }, secret: string): boolean {
  return isSameText(this.clientSecret ?? '', hashSecret(secret));
}

function isSameText(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Gives tokens their prefix for people and secret scanners. */
function addTokenPrefixes({ AccessToken, RefreshToken }: Provider): void {
  for (const [Token, prefix] of [
    [AccessToken, 'to'],
    [RefreshToken, 'tr'],
  ] as const) {
    Object.assign(Token.prototype, {
      generateTokenId(this: { format?: string }) {
        this.format = 'opaque';
        return generateSecret(prefix);
      },
    });
  }
}

function buildConfiguration(deps: ProviderDeps): Configuration {
  const { db, egress, isSecure, publicUrl } = deps;
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isSecure, signed: false } as const;
  return {
    clientAuthMethods: [...authMethods],
    // A cookie has an id of 256 random bits, and a token is looked up: nothing is signed, so no key is needed.
    cookies: { names: cookieNames, long: cookie, short: cookie, keys: [] },
    ...generateUnusedKey(),
    claims: {},
    scopes: [],
    responseTypes: ['code'],
    pkce: { required: () => true },
    ttl: lifetimes,
    routes: {
      authorization: routes.authorize,
      token: routes.token,
      registration: routes.register,
      revocation: routes.revoke,
      device_authorization: routes.deviceAuthorization,
      code_verification: routes.device,
      jwks: routes.keys,
    },
    features: buildFeatures(deps),
    extraClientMetadata: {
      // The hook that receives a description before it is checked; the property itself is not used.
      properties: ['software_id'],
      validator(_ctx, _name, _value, metadata) {
        const taken = buildClientMetadata({ ...metadata }, deps.moreSchemes);
        for (const name of Object.keys(metadata)) if (!keptAsIs.includes(name)) Reflect.deleteProperty(metadata, name);
        Object.assign(metadata, taken);
      },
    },
    fetch: fetchThrough(egress),
    interactions: { policy: buildPromptPolicy(), url: (_ctx, { uid }) => `${publicUrl}${routes.consent}/${uid}` },
    loadExistingGrant: ({ oidc }) => {
      const id = oidc.result?.consent?.grantId;
      return id ? oidc.provider.Grant.find(id) : undefined;
    },
    async findAccount(_ctx, accountId) {
      const isThere = await runInUnit(db, async (inner) => {
        const { workspaceId, id } = parseProtocolName(accountId);
        await enterWorkspace(inner, workspaceId);
        return (await findPerson(inner, id)) !== undefined;
      });
      return isThere ? { accountId, claims: () => ({ sub: accountId }) } : undefined;
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    revokeGrantPolicy: ({ oidc }) => !(oidc.route === 'revocation' && oidc.entities.AccessToken),
    expiresWithSession: () => false,
    clientBasedCORS: () => true,
    renderError(ctx, out) {
      ctx.body = out; // the web face turns it into a page
    },
  };
}

function buildFeatures({ resources, publicUrl }: ProviderDeps): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
    registration: {
      enabled: true,
      issueRegistrationAccessToken: false,
      idFactory: () => `client_${generateSecret()}`,
      secretFactory: () => generateSecret('secret'),
    },
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02', cacheDuration: { min: 60, max: 3_600 } },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => `${publicUrl}/mcp`,
      useGrantedResource: () => true,
      getResourceServerInfo({ oidc }, resource) {
        const audience = resources.canonical(resource);
        if (!audience) throw new errors.InvalidTarget();
        if (Array.isArray(oidc.params?.['resource']))
          throw new errors.InvalidTarget('name one resource: a token is for one address');
        return { scope: offeredScopes.join(' '), audience, accessTokenFormat: 'opaque' };
      },
    },
  } as NonNullable<Configuration['features']>; // the published types do not know every feature of this version
}

/** The library requires a key for identity tokens. None is ever issued, so this key is never stored. */
function generateUnusedKey(): Pick<Configuration, 'jwks' | 'clientDefaults'> {
  const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return {
    jwks: { keys: [{ ...key, alg: 'Ed25519' } as JWK] },
    clientDefaults: { id_token_signed_response_alg: 'Ed25519', token_endpoint_auth_method: 'none' },
  };
}

const keptAsIs = ['client_id', 'client_secret', 'client_id_issued_at', 'client_secret_expires_at'];

export const cookieNames = {
  session: 'thalamus_oauth_session',
  interaction: 'thalamus_oauth_request',
  resume: 'thalamus_oauth_resume',
};

/** A person decides every request: a grant is never reused. */
function buildPromptPolicy() {
  const { Prompt, Check } = interactionPolicy;
  const check = new Check('consent_missing', 'a person must allow this', 'login_required', ({ oidc }) =>
    oidc.result?.consent && oidc.grant ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
  );
  return [new Prompt({ name: 'consent', requestable: true }, check)];
}

function runInUnit<T>(db: Kysely<unknown>, work: (db: Db) => Promise<T>): Promise<T> {
  const unit = getCurrentUnit();
  return unit ? work(unit.db) : writePresented(db, [], work);
}
