// Recognises a request of code to a token endpoint, which is answered at once: its tokens become handles.
import type { Handle } from '#platform/egress';
import { providerAt } from './stand-in.ts';

type Request = { method: string; url: string; headers?: Record<string, string> | undefined; body?: string | undefined };

/** By these a grant is renewed without a person. A code is not among them: a person gives it. */
const grantTypes = ['refresh_token', 'client_credentials'];
const fieldsOfGrant = new Set([
  'grant_type',
  'client_id',
  'client_secret',
  'refresh_token',
  'scope',
  'audience',
  'resource',
]);
/** A handle in one of these says that its person has listed the field for the endpoint, as a bundle does. */
const credentials = ['form:refresh_token', 'form:client_secret', 'form'];

/** Whether a request has the form of one that asks for tokens: a form with a grant, and nothing else. */
export function looksLikeTokenRequest({ method, url, headers = {}, body = '' }: Request): boolean {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (method !== 'POST' || !/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type) || !URL.canParse(url))
    return false;
  const { search, pathname } = new URL(url);
  const form = [...new URLSearchParams(body)];
  const names = form.map(([name]) => name);
  const isPlain = new Set(names).size === names.length && names.every((name) => fieldsOfGrant.has(name));
  const grant = form.find(([name]) => name === 'grant_type')?.[1] ?? '';
  return (
    isPlain && grantTypes.includes(grant) && search === '' && /token|oauth/i.test(pathname) && !hasOverride(headers)
  );
}

function hasOverride(headers: Record<string, string>): boolean {
  return Object.keys(headers).some((name) => /method-?override|^x-http-method/i.test(name));
}

/**
 * Whether the address is a token endpoint: of a known provider exactly its own, otherwise where a credential in the request was allowed
 * to go by whoever stored it, in a field of a token endpoint.
 */
export function isTokenEndpoint(url: string, handles: readonly Handle[], standIn: string | null): boolean {
  const { host, origin, pathname } = new URL(url);
  const known = providerAt(host);
  if (known) return `${origin}${pathname}` === known.tokenUrl;
  const target = standIn ? new URL(standIn).host : host;
  return handles.some(
    ({ placements, hosts }) =>
      placements.some((placement) => credentials.includes(placement)) &&
      hosts.some((each) => each === host || each === target),
  );
}
