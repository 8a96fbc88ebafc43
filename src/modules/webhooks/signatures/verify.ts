// Checks a request against a rule and a secret. Nothing here throws for any input of a sender.
import { createHash, createHmac, createPublicKey, timingSafeEqual, verify as verifySignature } from 'node:crypto';
import { isFormType, readForm } from '#platform/forms';
import { getFieldAt } from '../body-fields.ts';
import type { SignedRequest, Rule } from './rule.ts';
import { computeStandardSignature } from './standard.ts';

type Hmac = Extract<Rule, { kind: 'hmac' }>;

/** Null for a valid request. Otherwise the reason, which reveals nothing of the secret. */
export function findSignatureError(rule: Rule, secret: string | null, request: SignedRequest): string | null {
  if (rule.kind === 'none') return null;
  if (secret === null || secret === '') return 'The connector has no secret yet.';
  switch (rule.kind) {
    case 'hmac':
      return checkHmac(rule, secret, request);
    case 'standard':
      return checkStandard(rule.toleranceSeconds, secret, request);
    case 'token':
      return checkToken(rule.headers, secret, request);
    case 'ed25519':
      return checkEd25519(rule, secret, request);
    case 'address_and_form':
      return checkAddressAndForm(rule, secret, request);
  }
}

/**
 * A hash of what the signature of a valid request covers: its body, and the time and address if they are signed. Null
 * when nothing is signed, or when the sender's id is signed, too.
 */
export function hashSigned(rule: Rule, { headers, url, body }: SignedRequest): string | null {
  if (rule.kind === 'none' || rule.kind === 'standard') return null;
  const hash = createHash('sha256');
  // A form is signed by its fields, sorted and concatenated: other forms may have the same signature.
  const isFields = rule.kind === 'address_and_form' && isFormType(headers['content-type']);
  hash.update(isFields ? (sortFormFields(body.toString()) ?? body) : body);
  if (rule.kind === 'ed25519') hash.update(headers[rule.timestamp] ?? '');
  if (rule.kind === 'address_and_form') hash.update(url);
  if (rule.kind === 'hmac') {
    const parts = splitSignatures(rule, findFirstHeader(rule.headers, { headers }) ?? '');
    if (rule.moment) hash.update(findMoment(rule.moment.at, parts, { headers }) ?? '');
    if (rule.signed.includes('url')) hash.update(url);
  }
  return hash.digest('hex');
}

function splitSignatures({ separator }: Hmac, given: string): string[] {
  return separator === undefined ? [given.trim()] : given.split(separator).map((part) => part.trim());
}

function checkHmac(rule: Hmac, secret: string, request: SignedRequest): string | null {
  const { headers, encoding, signed, moment, hash, key = 'utf8' } = rule;
  const given = findFirstHeader(headers, request);
  if (given === undefined) return formatMissingHeader(headers);
  const parts = splitSignatures(rule, given);
  // A time in the body is read only after the signature was verified.
  const inBody = moment && 'field' in moment.at ? moment.at.field : null;
  const sent = moment && inBody === null ? findMoment(moment.at, parts, request) : undefined;
  if (moment && inBody === null) {
    const late = findLateReason(sent, moment, request.at);
    if (late) return late;
  }
  const bytes = Buffer.from(secret, key);
  if (bytes.length === 0) return 'The connector has no secret in the encoding of its settings.'; // anybody can sign with an empty key
  const hmac = createHmac(hash, bytes);
  for (const part of signed) hmac.update(getSignedBytes(part, request, sent ?? ''));
  const expected = hmac.digest(encoding);
  const isOurs = parts
    .slice(0, mostSignatures)
    .map((part) => withoutPrefix(part, rule))
    .some(
      (signature) => signature !== null && isEqual(encoding === 'hex' ? signature.toLowerCase() : signature, expected),
    );
  if (!isOurs) return 'The signature does not match the body and the secret.';
  return moment && inBody !== null ? findLateReason(findMomentInBody(request.body, inBody), moment, request.at) : null;
}

/** The most signatures of one request that are checked. */
const mostSignatures = 20;

function withoutPrefix(part: string, { prefix, isPrefixOptional }: Hmac): string | null {
  if (prefix === undefined) return part;
  if (part.startsWith(prefix)) return part.slice(prefix.length);
  return isPrefixOptional ? part : null;
}

function getSignedBytes(
  part: Hmac['signed'][number],
  { body, method, url }: SignedRequest,
  timestamp: string,
): Buffer | string {
  if (typeof part === 'object') return part.text;
  return { body, timestamp, method, url }[part];
}

function findMoment(
  at: NonNullable<Hmac['moment']>['at'],
  parts: readonly string[],
  { headers }: Pick<SignedRequest, 'headers'>,
): string | undefined {
  if ('header' in at) return headers[at.header];
  return 'part' in at ? parts.find((part) => part.startsWith(at.part))?.slice(at.part.length) : undefined;
}

function findMomentInBody(body: Buffer, field: string): string | undefined {
  const value = getFieldAt(tryParseJsonBody(body), field);
  return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined;
}

function tryParseJsonBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}

type Tolerance = { unit: 'seconds' | 'milliseconds'; toleranceSeconds: number };

function findLateReason(sent: string | undefined, { unit, toleranceSeconds }: Tolerance, at: Date): string | null {
  if (sent === undefined) return 'The request has no timestamp.';
  if (!/^\d{1,15}$/.test(sent)) return 'The timestamp of the request is not a number.';
  const seconds = unit === 'seconds' ? Number(sent) : Number(sent) / 1_000;
  const away = Math.abs(at.getTime() / 1_000 - seconds);
  return away <= toleranceSeconds ? null : `The request was sent more than ${toleranceSeconds} s away from now.`;
}

/** Standard Webhooks and Svix: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
function checkStandard(toleranceSeconds: number, secret: string, request: SignedRequest): string | null {
  const { headers, body, at } = request;
  const family = findStandardFamily(headers);
  if (!family) return formatMissingHeader(['webhook-signature', 'svix-signature']);
  const [id, sent] = [headers[`${family}-id`], headers[`${family}-timestamp`]];
  if (id === undefined || sent === undefined) return formatMissingHeader([`${family}-id`, `${family}-timestamp`]);
  const late = findLateReason(sent, { unit: 'seconds', toleranceSeconds }, at);
  if (late) return late;
  const expected = computeStandardSignature(secret, { id, timestamp: sent, body });
  const signatures = (headers[`${family}-signature`] ?? '').split(' ').slice(0, mostSignatures);
  return signatures.some((each) => isEqual(each, expected))
    ? null
    : 'The signature does not match the body and the secret.';
}

/** The names of the headers that verify a request: those of Standard Webhooks, or of Svix. */
export function findStandardFamily(headers: SignedRequest['headers']): 'webhook' | 'svix' | undefined {
  return (['webhook', 'svix'] as const).find((name) => headers[`${name}-signature`] !== undefined);
}

function checkToken(headers: readonly string[], secret: string, request: SignedRequest): string | null {
  const given = findFirstHeader(headers, request);
  if (given === undefined) return formatMissingHeader(headers);
  return isEqual(given, secret) ? null : 'The token in the request is wrong.';
}

const spkiOfEd25519 = Buffer.from('302a300506032b6570032100', 'hex');

function checkEd25519(rule: Extract<Rule, { kind: 'ed25519' }>, key: string, request: SignedRequest): string | null {
  const [signature, timestamp] = [request.headers[rule.signature], request.headers[rule.timestamp]];
  if (signature === undefined || timestamp === undefined) return formatMissingHeader([rule.signature, rule.timestamp]);
  const late = findLateReason(timestamp, { unit: 'seconds', toleranceSeconds: rule.toleranceSeconds }, request.at);
  if (late) return late;
  if (!/^[0-9a-f]{128}$/i.test(signature)) return 'The signature is not 64 bytes in hexadecimal.';
  try {
    const spki = Buffer.concat([spkiOfEd25519, Buffer.from(key, 'hex')]);
    const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const signed = Buffer.concat([Buffer.from(timestamp), request.body]);
    const isOurs = verifySignature(null, signed, publicKey, Buffer.from(signature, 'hex'));
    return isOurs ? null : 'The signature does not match the body and the public key.';
  } catch {
    return 'The secret of the connector is not an Ed25519 public key in hexadecimal.';
  }
}

function checkAddressAndForm(
  { header, bodyHash }: Extract<Rule, { kind: 'address_and_form' }>,
  secret: string,
  { headers, url, body }: SignedRequest,
): string | null {
  const given = headers[header];
  if (given === undefined) return formatMissingHeader([header]);
  const isForm = isFormType(headers['content-type']);
  const stated = new URL(url).searchParams.get(bodyHash);
  const hash = createHash('sha256').update(body).digest('hex');
  if (!isForm && body.length > 0 && (stated === null || !isEqual(stated.toLowerCase(), hash)))
    return 'The hash of the body does not match the address.';
  const fields = isForm ? sortFormFields(body.toString()) : '';
  if (fields === null) return `The form has more than ${mostFields} fields.`;
  const expected = createHmac('sha1', secret).update(`${url}${fields}`).digest('base64');
  return isEqual(given, expected) ? null : 'The signature does not match the request and the secret.';
}

/**
 * Far more than a message has. A form must be read before its signature is known, so only this many fields are read.
 */
const mostFields = 10_000;

/** Names and values, sorted by name. A repeated name has each different value once, sorted. Null: there are too many. */
function sortFormFields(form: string): string | null {
  const { fields: pairs, isWhole } = readForm(form, mostFields);
  if (!isWhole) return null;
  const fields = new Map<string, Set<string>>();
  for (const [name, value] of pairs) fields.set(name, (fields.get(name) ?? new Set()).add(value));
  return [...fields]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, values]) => [...values].toSorted((a, b) => (a < b ? -1 : 1)).map((value) => name + value))
    .join('');
}

function findFirstHeader(names: readonly string[], { headers }: Pick<SignedRequest, 'headers'>): string | undefined {
  const name = names.find((each) => headers[each] !== undefined);
  return name === undefined ? undefined : headers[name];
}

function formatMissingHeader(names: readonly string[]): string {
  return `The request has no header ${names.join(' or ')}.`;
}

/** Compares in constant time for texts of these lengths. */
function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
