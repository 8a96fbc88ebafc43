// What a consent requests and from which provider, as it is stored with a link.
import { AppError } from '#kernel/errors';
import { findRegistrableDomain, parseAddress } from '#platform/egress';
import { ownClientProviders } from '#providers';
import { findProvider, ownClientNames } from './providers.ts';

/** Which token of the answer becomes which variable. */
export const derivable = ['refresh_token', 'access_token'] as const;
export type DerivableField = (typeof derivable)[number];

/** The provider of a consent. */
export type ConsentPlace = {
  label: string;
  authorizeUrl: string;
  tokenUrl: string;
  authorizeWith: Record<string, string>;
  /** The provider's name if it is a known one; the operator may have set a base URL for it. */
  known: string | null;
  apiHosts: string[];
};

/** A consent that a bundle requests. */
export type ConsentPlan = ConsentPlace & {
  scopes: string[];
  clientIdFrom: string;
  clientSecretFrom: string;
  derive: Record<string, DerivableField>;
};

/** Throws for an address that this server would not call. */
export type CheckUrl = (url: string) => void;

/**
 * The provider of a consent: a known one, found by its name or by the scopes, or the two given addresses. Throws
 * `invalid_input` when it is neither, or when an address may not be called.
 */
export function resolveConsentPlace(
  given: {
    provider?: string | undefined;
    label?: string | undefined;
    scopes: readonly string[];
    authorizeUrl?: string | undefined;
    tokenUrl?: string | undefined;
  },
  checkUrl: CheckUrl,
): ConsentPlace {
  const { provider, label, scopes, authorizeUrl, tokenUrl } = given;
  if (authorizeUrl && tokenUrl) {
    for (const url of [authorizeUrl, tokenUrl]) checkAddress(url, checkUrl);
    checkSameProvider(authorizeUrl, tokenUrl);
    const name = label || provider || new URL(tokenUrl).host;
    return { label: name, authorizeUrl, tokenUrl, authorizeWith: {}, known: null, apiHosts: [] };
  }
  const known = findProvider(provider, scopes);
  if (!known) {
    throw new AppError(
      'invalid_input',
      `provider: name ${ownClientNames}, or give authorize_url and token_url of another provider.`,
    );
  }
  const { authorizeWith, apiHosts } = known;
  return {
    label: label || known.label,
    authorizeUrl: known.authorizeUrl,
    tokenUrl: known.tokenUrl,
    authorizeWith: { ...authorizeWith },
    known: known.name,
    apiHosts: [...apiHosts],
  };
}

/**
 * A consent at any page of a known provider must use that provider's own token endpoint: anybody may publish pages
 * below the same domain, such as script.google.com.
 */
function checkSameProvider(authorizeUrl: string, tokenUrl: string): void {
  const domain = getDomain(authorizeUrl);
  const known = ownClientProviders.find((provider) => getDomain(provider.authorizeUrl) === domain);
  if (!known) return checkSameDomain(authorizeUrl, tokenUrl);
  if (parseAddress(tokenUrl).host === parseAddress(known.tokenUrl).host) return;
  const message = `token_url: a consent at ${known.label} uses the token endpoint ${known.tokenUrl}. Name the provider, and leave the addresses out.`;
  throw new AppError('invalid_input', message);
}

/** A consent page and a token endpoint of different owners would send a person's code to somebody else. */
function checkSameDomain(authorizeUrl: string, tokenUrl: string): void {
  const [page, endpoint] = [authorizeUrl, tokenUrl].map(getDomain);
  if (page === endpoint) return;
  const message = `token_url: a consent at ${page} cannot use the token endpoint ${endpoint}. Give both addresses of one provider. If it has two domains, a person can add it as a custom provider in the settings of integrations.`;
  throw new AppError('invalid_input', message);
}

function getDomain(url: string): string {
  return findRegistrableDomain(parseAddress(url).hostname);
}

function checkAddress(url: string, checkUrl: CheckUrl): void {
  try {
    checkUrl(url);
  } catch (error) {
    const why = error instanceof Error ? ` ${error.message}` : '';
    const message = `${url.slice(0, 200)} is not an https address of an OAuth provider.${why}`;
    throw new AppError('invalid_input', message, {}, { cause: error });
  }
}
