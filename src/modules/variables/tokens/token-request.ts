// Recognises a token request of code, which is answered at once, with handles in place of tokens.
import { listHandles } from '#platform/egress';
import { readForm } from '#platform/forms';

type Request = { method: string; url: string; headers?: Record<string, string> | undefined; body?: string | undefined };

/** Grants that are renewed without a person. An authorization code is not among them, because a person gives it. */
const grantTypes = ['refresh_token', 'client_credentials'];
/** More fields than a token request has. */
const mostFields = 50;
/** The fields of a grant, and those that contain the client's credentials. Only credentials may be secrets. */
const fieldsOfGrant = new Set(['grant_type', 'scope', 'audience', 'resource']);
const credentialFields = new Set(['client_id', 'client_secret', 'refresh_token']);
/** Headers of a token request. Only `Authorization` may contain secrets, as `Basic` (RFC 6749, section 2.3.1). */
const plainHeaders = new Set(['accept', 'content-type', 'user-agent']);

/** Whether a request has the form of a token request: a form with a grant and client credentials, and nothing else. */
export function hasTokenRequestForm({ method, url, headers = {}, body = '' }: Request): boolean {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (method !== 'POST' || !/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type) || !URL.canParse(url))
    return false;
  const { fields: form, isWhole } = readForm(body, mostFields);
  const names = form.map(([name]) => name);
  const grant = form.find(([name]) => name === 'grant_type')?.[1] ?? '';
  return (
    isWhole &&
    new Set(names).size === names.length &&
    form.every(([name, value]) => credentialFields.has(name) || isPlain(fieldsOfGrant, name, value)) &&
    Object.entries(headers).every(([name, value]) => isBasic(name, value) || isPlain(plainHeaders, name, value)) &&
    grantTypes.includes(grant) &&
    new URL(url).search === '' &&
    listHandles(url).length === 0
  );
}

/** The handles of the credentials that buy the tokens: the refresh token, otherwise the client's secret, otherwise its id. */
export function listBuyerHandles({ headers, body }: { headers: Record<string, string>; body: string }): string[] {
  const form = new Map(readForm(body, mostFields).fields);
  const basic = Object.entries(headers).find(([name, value]) => isBasic(name, value))?.[1] ?? '';
  const [id = '', secret = ''] = decodeBasic(basic).split(':');
  const candidates = [form.get('refresh_token') ?? '', `${form.get('client_secret') ?? ''} ${secret}`];
  return [...candidates, `${form.get('client_id') ?? ''} ${id}`].map(listHandles).find((each) => each.length > 0) ?? [];
}

function isPlain(allowed: ReadonlySet<string>, name: string, value: string): boolean {
  return allowed.has(name.toLowerCase()) && listHandles(value).length === 0;
}

function isBasic(name: string, value: string): boolean {
  return name.toLowerCase() === 'authorization' && /^basic\s+\S+$/i.test(value);
}

function decodeBasic(basic: string): string {
  return Buffer.from(basic.replace(/^basic\s+/i, ''), 'base64').toString();
}
