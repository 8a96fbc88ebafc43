// Sends a described call to a provider, in the name of a linked account.
import { parseBodyJson, type EgressResponse } from '#platform/egress';
import { AppError } from '#kernel/errors';
import type { FilledRequest } from './fill.ts';
import type { Refusals } from './api-schema.ts';
import type { Link, ProviderClient } from './provider-client.ts';

/** The known version of a resource, in the provider's own form (RFC 9110, section 8.8). */
export type Version = { url: string; etag?: string; modified?: string };

/** The answer to a described call: parsed, with the address of the next page from the `Link` header (RFC 8288). */
export type Answer = {
  data: unknown;
  nextUrl: string | null;
  /** Null when the provider does not return it. */
  version: Version | null;
  /** The known version is current; there is no data. */
  isUnchanged: boolean;
};

/** Sends a reading request; with a known version, asks only for a newer one. */
export type AskProvider = (
  request: FilledRequest,
  more?: Refusals & { known?: Version | undefined },
) => Promise<Answer>;

/** Makes the function that sends reading requests through a linked account. */
export function createAsk(client: ProviderClient, link: Link): AskProvider {
  return async (request, { known, ...refusals } = {}) => {
    const version = known?.url === request.url ? known : undefined;
    const headers = { ...request.headers, ...buildConditionalHeaders(version) };
    const asked = { ...request, headers, isRead: true, ...refusals };
    const response = await client.send(link, asked);
    if (response.status === 304) return { data: undefined, nextUrl: null, version: version ?? null, isUnchanged: true };
    const nextUrl = parseNextLink(response.headers['link']);
    return { data: parseBodyJson(response), nextUrl, version: readVersion(request.url, response), isUnchanged: false };
  };
}

/** Headers that ask only for a newer version. */
export function buildConditionalHeaders(known: Version | undefined): Record<string, string> {
  return {
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.modified && { 'if-modified-since': known.modified }),
  };
}

/** The version of an answer, if it has one. */
export function readVersion(url: string, { headers }: EgressResponse): Version | null {
  const { etag, 'last-modified': modified } = headers;
  return etag || modified ? { url, ...(etag && { etag }), ...(modified && { modified }) } : null;
}

/** The next address that a `Link` header names (RFC 8288). */
export function parseNextLink(link = ''): string | null {
  return /<([^>]*)>\s*;(?:[^,<]*;)?\s*rel="?next"?/i.exec(link)?.[1] ?? null;
}

function createAddressError(): AppError {
  const message = 'The provider returned an invalid address for the next page or for a file.';
  return new AppError('upstream_failed', message, { errorCategory: 'bad_response' });
}

/**
 * The next page is requested from the API itself, whatever host the provider's header names, because the credential is
 * sent with it.
 */
export function resolveAtApi(nextUrl: string, baseUrl: string): string {
  if (!URL.canParse(nextUrl, baseUrl)) throw createAddressError();
  const { pathname, search } = new URL(nextUrl, baseUrl);
  return new URL(`${pathname}${search}`, baseUrl).href;
}
