import { createHash } from 'node:crypto';
import { AppError } from '#kernel/errors';
import type { ReadRuling } from '#modules/policy';
import {
  parseBodyJson,
  decodeBodyText,
  diagnose,
  type Diagnostics,
  type Egress,
  type EgressResponse,
} from '#platform/egress';
import type { Credential } from '#kernel/provider-access';
import { buildCredential, type ConnectionSettings } from '../credential.ts';
import type { Provider } from '#kernel/provider';
import { fillRequest, findFilledText, getValueAt } from './request-facts.ts';

/**
 * The identity of the linked account. `endsAt`: the token's expiry, if the provider names one. `isAsked` is false for
 * a provider without an identity endpoint.
 */
export type Identity = { accountId: string; account: string; endsAt?: Date; isAsked?: boolean };

/** A credential to test: its provider, how it was obtained, and its settings. */
export type UntestedCredential = {
  provider: Provider;
  kind: 'oauth' | 'token';
  baseUrl: string | null;
  settings: ConnectionSettings;
  token: string;
};

/** The provider rejected the credential. `status` is that of its answer. */
export class AccessRefused extends AppError {
  readonly diagnostics: Diagnostics;

  constructor(message: string, diagnostics: Diagnostics) {
    super('upstream_failed', message, { diagnostics });
    this.diagnostics = diagnostics;
  }
}

const identityTimeoutMs = 15_000;

/**
 * Why the account's owner may be requested: the policy allows it, a person is linking it, or the provider refused its
 * token in a call that the policy allowed.
 */
type Right = ReadRuling | 'linking' | 'refused';

/** Asks the provider whose account a token belongs to. Throws `AccessRefused` when it rejects the token. */
export async function readIdentity(egress: Egress, trial: UntestedCredential, _right: Right): Promise<Identity> {
  const facts = getIdentityFacts(trial);
  const { provider, baseUrl, token } = trial;
  if (!facts) return trial.kind === 'oauth' ? buildUnnamedIdentity(provider) : readAddress(egress, trial);
  const request = fillRequest(facts.request, { token }, baseUrl);
  const response = await egress.request({ ...request, timeoutMs: identityTimeoutMs });
  const answer = response.status === 200 ? parseBodyJson(response) : null;
  const isOk = facts.isOkAt === undefined || getValueAt(answer, facts.isOkAt) === true;
  const hasErrors = facts.errorsAt !== undefined && getValueAt(answer, facts.errorsAt) !== undefined;
  if (answer === null || !isOk || hasErrors) throw createAccessRefused(trial, response);
  const [accountId, account] = [findFilledText(answer, facts.accountId), findFilledText(answer, facts.account)];
  if (!accountId || !account)
    throw new AppError('upstream_failed', `${provider.label} did not name the owner of this account.`);
  return { accountId, account: account.slice(0, 300), ...parseTokenExpiry(response, facts.tokenEndsAtHeader) };
}

function getIdentityFacts({ provider, kind }: UntestedCredential) {
  return (kind === 'token' && provider.tokenIdentity) || provider.identity;
}

/** The provider cannot name the owner of the token, so a person can have one account there. */
function buildUnnamedIdentity({ label }: Provider): Identity {
  return { accountId: 'unnamed', account: `${label} account`, isAsked: false };
}

/** The expiry of a pasted token, by the header in which the provider sends it. GitHub writes `2026-12-01 08:00:00 UTC`. */
function parseTokenExpiry({ headers }: EgressResponse, header: string | undefined): { endsAt?: Date } {
  const text = header === undefined ? undefined : headers[header];
  const at = Date.parse(text?.replace(' UTC', 'Z').replace(' ', 'T') ?? '');
  return Number.isNaN(at) ? {} : { endsAt: new Date(at) };
}

/** An address that answers is its own account: a calendar is named by its name, anything else by its host. */
async function readAddress(egress: Egress, trial: UntestedCredential): Promise<Identity> {
  const { provider, token } = trial;
  const credential = buildCredential(trial);
  const url = getCredentialAddress(trial, credential);
  const response = await egress.request({
    method: 'GET',
    url,
    headers: {
      accept: provider.placement.token.in === 'url' ? 'text/calendar, */*' : 'application/json',
      ...credential.headers,
    },
    timeoutMs: identityTimeoutMs,
    maxBytes: 10_000_000,
    readsOnly: true,
    // A redirect would carry a key in a custom header to another host.
    redirects: credential.place === 'header' ? 'refuse' : 'follow',
    secrets: token ? [token] : [],
  });
  if (response.status !== 200) throw createAccessRefused(trial, response);
  const accountId = createHash('sha256').update(url).digest('hex').slice(0, 32);
  if (provider.placement.token.in !== 'url') {
    parseBodyJson(response);
    const { host, pathname } = new URL(url);
    return { accountId, account: `${host}${pathname === '/' ? '' : pathname}`.slice(0, 200) };
  }
  const text = decodeBodyText(response);
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text)) {
    throw new AppError(
      'upstream_failed',
      'This address does not answer with a calendar (RFC 5545). Copy the one that ends in .ics.',
    );
  }
  const name = /^X-WR-CALNAME[^:\r\n]*:([^\r\n]{1,200})/im.exec(text)?.[1]?.trim();
  return { accountId, account: name ? `${name} (${new URL(url).host})` : new URL(url).host };
}

function getCredentialAddress({ settings, token, provider }: UntestedCredential, credential: Credential): string {
  const url = provider.placement.token.in === 'url' ? token.replace(/^webcal:/, 'https:') : settings.url;
  if (!url || !URL.canParse(url)) throw new AppError('invalid_input', 'url: required, an absolute address.');
  const target = new URL(url);
  for (const [name, value] of Object.entries(credential.query)) target.searchParams.set(name, value);
  return target.href;
}

function createAccessRefused(trial: UntestedCredential, response: EgressResponse): AccessRefused {
  const { token } = trial;
  const diagnostics = diagnose(response, { secrets: token ? [token] : [] });
  const said = diagnostics.providerMessage ? ` It said: ${diagnostics.providerMessage.replace(/\.$/, '')}.` : '';
  return new AccessRefused(formatRefusal(trial, response.status, said, diagnostics.resolution), diagnostics);
}

/** The name of the pasted value in messages: a token, a key for an address, or an address. */
function formatRefusal(trial: UntestedCredential, status: number, said: string, resolution: string): string {
  const { provider, kind, token } = trial;
  const { label, token: facts, placement } = provider;
  const isRefused = [200, 401, 403].includes(status);
  if (!getIdentityFacts(trial)) {
    const isKeyed = placement.token.in !== 'url' && isRefused;
    const advice = token ? 'Check the key, and the header that carries it.' : 'Enter the key that it needs.';
    return `The address answered ${status}.${said} ${isKeyed ? advice : 'Copy the address again.'}`;
  }
  if (kind === 'token' && facts && isRefused)
    return `${label} does not accept this ${toSentenceCase(facts.label)} (${status}).${said} Copy it again, or create a new one.`;
  return `${label} did not name the owner of this account (${status}).${said} ${resolution}`;
}

/** A label inside a sentence: «Bot token» as «bot token»; «API key» stays. */
export function toSentenceCase(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}
