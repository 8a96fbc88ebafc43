// Makes the signature rule of a connector, from its provider or its own scheme.
import { providers, type Provider, type ProviderName } from './providers.ts';
import type { Rule } from './rule.ts';

export const schemes = ['hmac_sha256', 'standard_webhooks', 'none', 'provider'] as const;
export type Scheme = (typeof schemes)[number];

/** The defaults of `hmac_sha256` for other senders. */
export type SignatureSettings = {
  header?: string;
  encoding?: 'hex' | 'base64';
  prefix?: string;
  key?: 'hex' | 'base64';
};

export type SignatureChoice = { scheme: Scheme; provider: ProviderName | null; settings: SignatureSettings };

const usualHeaders = ['x-hub-signature-256', 'x-webhook-signature', 'x-signature-256', 'x-signature'];
const toleranceSeconds = 300;

/** The rule that requests are checked with. */
export function getSignatureRule({ scheme, provider, settings }: SignatureChoice, secret: string | null): Rule {
  if (provider) return getProvider(provider).rule(secret);
  if (scheme === 'standard_webhooks') return { kind: 'standard', toleranceSeconds };
  if (scheme === 'none') return { kind: 'none' };
  const { header, encoding = 'hex', prefix, key } = settings;
  return {
    kind: 'hmac',
    hash: 'sha256',
    ...(key && { key }),
    headers: header ? [header.toLowerCase()] : usualHeaders,
    encoding,
    prefix: prefix ?? 'sha256=',
    isPrefixOptional: prefix === undefined,
    signed: ['body'],
  };
}

const usualIds: Provider['ids'] = [
  { header: 'webhook-id', isSigned: false },
  { header: 'svix-id', isSigned: false },
  { header: 'idempotency-key', isSigned: false },
  { header: 'x-github-delivery', isSigned: false },
];
const usualTypes: Provider['types'] = [{ header: 'x-event-type' }, { field: 'type' }, { field: 'event' }];

/** Where the sender puts the event id and type. */
export function getFieldLocations(provider: ProviderName | null): Pick<Provider, 'ids' | 'types'> {
  return provider ? getProvider(provider) : { ids: usualIds, types: usualTypes };
}

export function getProvider(name: ProviderName): Provider {
  return providers[name];
}

const keyForms = { hex: /^([0-9a-f]{2}){8,}$/i, base64: /^[A-Za-z0-9+/_-]{11,}={0,2}$/ };

const shortestSecret = 8;

/** Why the rule cannot use a secret. Null: it can. */
export function findSecretError(signing: SignatureChoice, secret: string): string | null {
  const rule = getSignatureRule(signing, secret);
  const { kind } = rule;
  if (secret.length < shortestSecret) return `must have ${shortestSecret} characters or more`;
  if (kind === 'standard' && !/^(?:(?:v1,)?whsec_)?[A-Za-z0-9+/_-]{16,}={0,2}$/.test(secret))
    return 'must be whsec_ and base64, as the sender shows it; it may start with v1,';
  if (rule.kind === 'hmac' && rule.key && !keyForms[rule.key].test(secret))
    return `must be a key in ${rule.key}, as signature_settings says`;
  if (kind === 'ed25519' && !/^[0-9a-f]{64}$/i.test(secret)) return 'must be the public key: 64 hexadecimal digits';
  return null;
}
