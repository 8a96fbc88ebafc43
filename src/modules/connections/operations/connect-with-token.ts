import { canDoAllOfPerson, type Caller } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import { readPastedSecret, refuseBraces } from '#kernel/pasted-secret';
import { defineOperation } from '#kernel/operation';
import type { Egress } from '#platform/egress';
import { z } from 'zod';
import type { Clients } from '../clients/clients.ts';
import type { ConnectionSettings } from '../credential.ts';
import { toSentenceCase, readIdentity, type UntestedCredential } from '../clients/identity.ts';
import { linkAccount, type AccountKeeping } from '../accounts/link-account.ts';
import type { Tokens } from '../clients/oauth-client.ts';
import { checkMayShare, ownerField } from '../accounts/ownership.ts';
import { connectionOutput, presentConnection } from '../accounts/present.ts';
import type { Provider } from '#kernel/provider';

/** A header name (RFC 9110 §5.1) that is ours to set. */
const headerName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be the name of a header')
  .refine(
    (name) => !/^(host|content-length|connection|cookie|transfer-encoding)$/i.test(name),
    'is set by this server',
  );

const input = z.strictObject({
  provider: z.string().min(1).max(60),
  token: z.string().max(4_000).default('').describe('The token, key or secret address. It is checked at once.'),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional()
    .describe('http_json: the address to read.'),
  header: z
    .strictObject({
      name: headerName,
      value: z
        .string()
        .max(200)
        .regex(/\{token\}/, 'must contain {token}')
        .default('{token}'),
    })
    .optional()
    .describe('http_json: the header that carries the key; default: authorization with Bearer.'),
  ends_at: z.iso
    .datetime()
    .optional()
    .describe('When the token expires, if it does, so that you get a warning before.'),
  owner: ownerField,
});
type Input = z.output<typeof input>;

export function connectWithToken(options: AccountKeeping & { clients: Clients; egress: Egress; publicUrl: string }) {
  const { clients, egress, publicUrl } = options;
  return defineOperation({
    name: 'connect_with_token',
    summary:
      "Link an account with a token. Only a person may do this: an agent gives its person the link to the integration's page.",
    toolset: 'accounts',
    effect: 'write',
    access: { scope: 'connections:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/connected-accounts' }],
    input,
    output: connectionOutput,
    errors: ['forbidden', 'invalid_input', 'upstream_failed'],
    examples: [
      {
        title: 'GitHub by a personal token',
        input: { provider: 'github', token: 'github_pat_11EXAMPLE0000000000000' },
      },
    ],

    async run(ctx, given): Promise<UntestedCredential> {
      const asked = { ...given, token: trimPastedToken(given.token) };
      refuseBraces('url', asked.url ?? '');
      refuseBraces('header.value', asked.header?.value ?? '');
      const provider = await clients.provider(ctx.db, asked.provider);
      if (!provider?.token) throw createNoTokenError(asked.provider, clients);
      checkMayHandOver(ctx.caller, provider, publicUrl);
      checkMayShare(ctx.caller, asked.owner);
      checkForm(provider, asked);
      const settings = getConnectionSettings(asked);
      return { provider, kind: 'token', baseUrl: clients.findBaseUrl(provider.name), settings, token: asked.token };
    },

    async afterCommit(ctx, trial, { ends_at, owner }) {
      const { token } = trial;
      const identity = await readIdentity(egress, trial, 'linking');
      const endsAt = ends_at ? new Date(ends_at) : identity.endsAt;
      return ctx.transact(async (inner) => {
        const linking = {
          provider: trial.provider.name,
          kind: 'token' as const,
          isShared: owner === 'workspace',
          identity,
          scopes: [],
          settings: trial.settings,
          tokens: token ? toPastedTokens(token, endsAt, inner.now) : null,
        };
        const row = await linkAccount(inner, options, linking);
        return presentConnection(row, { provider: trial.provider, caller: inner.caller, now: inner.now, publicUrl });
      });
    },
  });
}

/** Empty when the provider needs none. */
function trimPastedToken(pasted: string): string {
  return pasted.trim() && readPastedSecret(pasted, { field: 'token', hasNoQuotes: true, isOneWord: true }).value;
}

function getConnectionSettings({ url, header }: Input): ConnectionSettings {
  return { ...(url && { url }), ...(header && { header }) };
}

/** A pasted token in the form of a token endpoint's answer. */
function toPastedTokens(accessToken: string, endsAt: Date | undefined, now: Date): Tokens {
  const grantEndsInSeconds = endsAt ? Math.max(1, (endsAt.getTime() - now.getTime()) / 1000) : null;
  return { accessToken, expiresInSeconds: null, refreshToken: null, grantEndsInSeconds, scopes: null };
}

/** Only a person may enter a token: at the console, or in a script with the owner's key. Agents have neither. */
function checkMayHandOver(caller: Caller, { name, label }: Provider, publicUrl: string): void {
  if (canDoAllOfPerson(caller)) return;
  const url = `${publicUrl}/integrations/${name}`;
  throw new AppError(
    'forbidden',
    `A token for ${label} must be entered by a person, so that no agent sees it. Ask the person to open ${url}`,
    { connect_url: url },
  );
}

function checkForm({ token: facts, label }: Provider, { token, url }: Input): void {
  if (!token && !facts?.isTokenOptional) throw new AppError('invalid_input', 'token: required but missing');
  if (facts?.fields.includes('url') && !url) throw new AppError('invalid_input', 'url: required but missing');
  if (!/^[\x21-\x7e]*$/.test(token)) {
    throw new AppError('invalid_input', 'token: contains an invalid character. Copy it again, without spaces.');
  }
  if (token && facts?.form && !new RegExp(facts.form.pattern).test(token)) {
    throw new AppError(
      'invalid_input',
      `token: for ${label}, the ${toSentenceCase(facts.label)} ${facts.form.says}. Copy it again, completely.`,
    );
  }
}

function createNoTokenError(name: string, clients: Clients): AppError {
  const known = clients.listed.filter(({ token }) => token).map((provider) => provider.name);
  return new AppError('invalid_input', `provider: no token can be entered for ${name}. Known: ${known.join(', ')}.`);
}
