// Sends a described call to a provider, in the name of a linked account.
import { bodyJson, type EgressResponse } from '#platform/egress';
import type { Link, ProviderClient } from './provider-client.ts';
import type { Reader, Version } from './sources/source.ts';

/** Sends a reading request; with a known version, only for another version. */
export function askThrough(client: ProviderClient, link: Link): Reader['ask'] {
  return async (request, { known, ...refusals } = {}) => {
    const version = known?.url === request.url ? known : undefined;
    const headers = { ...request.headers, ...onlyWhenChanged(version) };
    const asked = { ...request, headers, isRead: true, ...refusals };
    const response = await client.send(link, asked);
    if (response.status === 304) return { data: undefined, nextUrl: null, version: version ?? null, isUnchanged: true };
    const nextUrl = nextIn(response.headers['link']);
    return { data: bodyJson(response), nextUrl, version: versionOf(request.url, response), isUnchanged: false };
  };
}

/** Headers that ask only for a new version. */
export function onlyWhenChanged(known: Version | undefined): Record<string, string> {
  return {
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.modified && { 'if-modified-since': known.modified }),
  };
}

/** The version of an answer, as far as it has one. */
export function versionOf(url: string, { headers }: EgressResponse): Version | null {
  const { etag, 'last-modified': modified } = headers;
  return etag || modified ? { url, ...(etag && { etag }), ...(modified && { modified }) } : null;
}

/** The next address that a `Link` header names (RFC 8288). */
export function nextIn(link = ''): string | null {
  return /<([^>]*)>\s*;(?:[^,<]*;)?\s*rel="?next"?/i.exec(link)?.[1] ?? null;
}
