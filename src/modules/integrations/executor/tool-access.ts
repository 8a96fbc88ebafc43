// With whose access a tool is called: secrets by their names, or an account; both through the caller's own chain.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { Clients, Provider } from '#modules/connections';
import { resolveNames, type Answered } from '#modules/variables';
import type { Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { chooseAccount } from '../linked-accounts.ts';
import type { Link } from '../provider-client.ts';
import { secretsOf } from './endpoint.ts';
import type { OAuthOfTool, Tool } from './tool.ts';

type Handles = NonNullable<Parameters<Egress['request']>[0]['handles']>;

/** What a call goes with: `link` to an account, or secrets as handles. `lacks`: what is not there, in words for a person. */
export type ToolAccess = {
  link: Link | null;
  handles: Handles;
  secrets: Readonly<Record<string, string>>;
  answered: Answered[];
  lacks: string | null;
};

const nothing: ToolAccess = { link: null, handles: [], secrets: {}, answered: [], lacks: null };

type Options = { clients: Clients; vault: Vault; publicUrl: string };

/** Finds the access of a tool. Throws when the tool itself is wrong; what is merely missing is told in `lacks`. */
export async function accessOf(
  options: Options,
  ctx: Context,
  { integration, endpoint }: Tool,
  asked: { account?: string | undefined; brainId?: string | undefined },
): Promise<ToolAccess> {
  if (integration.auth?.type === 'oauth2')
    return accountFor(options, ctx, integration.auth, endpoint.url, asked.account);
  const names = [...secretsOf(endpoint)];
  const { handles, answered, byName } = await resolveNames(options.vault, ctx, names, asked.brainId);
  const missing = names.filter((name) => !byName.has(name));
  const lacks = missing.length
    ? `${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} not set (create_variable_link)`
    : null;
  if (answered.length) ctx.auditFacts['credentials'] = answered;
  return { ...nothing, handles, answered, secrets: Object.fromEntries(byName), lacks };
}

async function accountFor(
  { clients, publicUrl }: Options,
  ctx: Context,
  auth: OAuthOfTool,
  url: string,
  account: string | undefined,
): Promise<ToolAccess> {
  const provider = await clients.provider(ctx.db, auth.providerKey);
  if (!provider?.oauth)
    return { ...nothing, lacks: `${auth.providerKey} is not set up here (configure_oauth_provider)` };
  checkSameAuth(provider, auth);
  checkHost(provider, new URL(url).hostname);
  const scopes = auth.scopes.map((scope) => ({ scope, why: '' }));
  const needs = { name: provider.name, label: provider.label, provider: provider.name, scopes };
  try {
    const row = await chooseAccount(ctx, needs, { account, publicUrl });
    return { ...nothing, link: { workspaceId: row.workspace_id, connectionId: row.id, provider: row.provider } };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    return { ...nothing, lacks: error.message };
  }
}

/** What a tool says of its provider must be what the accounts were linked by: nothing else was ever agreed to. */
function checkSameAuth({ name, oauth }: Provider, auth: OAuthOfTool): void {
  const known = {
    authorizationUrl: oauth?.authorizeUrl,
    tokenUrl: oauth?.tokenUrl,
    tokenAuthMethod: oauth?.tokenAuthMethod,
  };
  for (const [field, value] of Object.entries(known)) {
    if (auth[field as keyof typeof known] !== value) throw refusal(`auth.${field}`, `${name} is linked with ${value}`);
  }
  const parameters = { authorizationParams: oauth?.authorizeParams ?? {}, tokenParams: oauth?.tokenParams ?? {} };
  for (const [field, value] of Object.entries(parameters)) {
    const said = Object.entries(auth[field as keyof typeof parameters] ?? {});
    if (said.some(([parameter, asked]) => value[parameter] !== asked))
      throw refusal(`auth.${field}`, `${name} is linked with ${JSON.stringify(value)}`);
  }
}

/** An account's token goes to its own provider. */
function checkHost({ label, apiDomains }: Provider, host: string): void {
  if (apiDomains.some((domain) => host === domain || host.endsWith(`.${domain}`))) return;
  throw refusal('endpoint.url', `the token of a ${label} account goes to ${apiDomains.join(', ') || 'no host'} alone`);
}

function refusal(path: string, said: string): AppError {
  return new AppError('invalid_input', `tool.${path}: ${said}.`, { issues: [{ path: `tool.${path}`, message: said }] });
}
