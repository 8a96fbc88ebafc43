// Checks a workspace's settings of an OAuth provider, and merges them with the stored ones.
import { AppError } from '#kernel/errors';
import { isPublicSuffix } from '#platform/egress';
import { z } from 'zod';
import type { Provider } from '#kernel/provider';
import type { ConfigRow } from '../store/provider-configs.ts';

const url = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .regex(/^[^{}#]*$/, 'must not contain {, } or #');
/** A host; with a leading dot, all hosts below it. */
const host = z
  .string()
  .max(253)
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a host such as api.example.com')
  .refine((name) => !isPublicSuffix(name), 'must be a host of one owner: anybody can register a name below this one');
const params = z
  .record(
    z
      .string()
      .max(100)
      .regex(/^[\w.:-]+$/, 'must be the name of a parameter'),
    z.string().max(1_000),
  )
  .refine((record) => Object.keys(record).length <= 20, 'must have 20 parameters at most');

/** The fields of a custom provider in `configure_oauth_provider`. */
export const configFields = {
  label: z.string().trim().min(1).max(80).optional().describe('The label. Required for a custom provider.'),
  authorization_url: url
    .optional()
    .describe('Its consent page. Together with token_url it describes a custom provider.'),
  token_url: url.optional(),
  token_auth_method: z
    .enum(['client_secret_post', 'client_secret_basic', 'none'])
    .optional()
    .describe('How the client authenticates at token_url. Default: client_secret_post.'),
  userinfo_url: url
    .nullable()
    .optional()
    .describe('Returns the owner of an account; null removes it. Without it accounts have no name.'),
  revocation_url: url.nullable().optional().describe('Revokes an access (RFC 7009); null removes it.'),
  scopes: z
    .array(
      z
        .string()
        .max(300)
        .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a scope (RFC 6749 §3.3)'),
    )
    .max(100)
    .optional()
    .describe('Requested at every consent.'),
  api_hosts: z
    .array(host)
    .max(20)
    .optional()
    .describe('Hosts that its tokens may be sent to, subdomains included. Default: the host of token_url.'),
  authorization_params: params.optional().describe('Extra parameters for the consent page.'),
  token_params: params.optional().describe('Extra parameters for token_url. Not secret.'),
};
const asked = z.object(configFields);
export type ConfigInput = z.output<typeof asked>;

/** The settings of a row, without client and author. */
type ConfigSettings = Omit<
  ConfigRow,
  | 'workspace_id'
  | 'provider'
  | 'client_id'
  | 'client_secret'
  | 'created_at'
  | 'configured_at'
  | 'updated_by'
  | 'updated_at'
>;

/** Parameters of OAuth itself (RFC 6749, RFC 7636), which cannot be set: they would change the request. */
const reserved =
  /^(response_(type|mode)|client_(id|secret|assertion(_type)?)|redirect_uri|scope|state|request(_uri)?|code(_challenge(_method)?|_verifier)?|grant_type|refresh_token|username|password)$/i;

const addresses = ['authorization_url', 'token_url', 'userinfo_url', 'revocation_url'] as const;

/**
 * The new settings: the input, and otherwise the stored values. Throws `invalid_input` for missing fields, for fields
 * that a built-in provider does not accept, and for addresses that `checkUrl` refuses.
 */
export function mergeSettings(
  name: string,
  given: ConfigInput,
  {
    stored,
    listed,
    checkUrl,
  }: { stored: ConfigRow | undefined; listed: Provider | undefined; checkUrl: (url: string) => void },
): ConfigSettings {
  checkParameters(given);
  const own = { authorization_params: given.authorization_params ?? stored?.authorization_params ?? {} };
  const both = { ...own, token_params: given.token_params ?? stored?.token_params ?? {} };
  if (listed?.oauth) return { ...getBuiltInSettings(name, given), ...both };
  if (listed) throw new AppError('invalid_input', `provider: ${listed.label} has no OAuth. Choose another name.`);
  for (const field of addresses) checkAddress(field, given[field], checkUrl);
  const authorization_url = given.authorization_url ?? stored?.authorization_url;
  const token_url = given.token_url ?? stored?.token_url;
  if (!authorization_url || !token_url) throw createUnknownProviderError(name);
  return {
    ...both,
    label: given.label ?? stored?.label ?? name,
    authorization_url,
    token_url,
    token_auth_method: given.token_auth_method ?? stored?.token_auth_method ?? 'client_secret_post',
    userinfo_url: given.userinfo_url === undefined ? (stored?.userinfo_url ?? null) : given.userinfo_url,
    revocation_url: given.revocation_url === undefined ? (stored?.revocation_url ?? null) : given.revocation_url,
    scopes: given.scopes ?? stored?.scopes ?? [],
    api_hosts: given.api_hosts ?? stored?.api_hosts ?? [new URL(token_url).hostname],
  };
}

/** Whether tokens would go to a new address. */
export function hasNewTokenAddress(before: ConfigRow, after: ConfigSettings): boolean {
  const hosts = new Set(before.api_hosts);
  return (
    (['token_url', 'userinfo_url', 'revocation_url'] as const).some((field) => before[field] !== after[field]) ||
    after.api_hosts.some((each) => !hosts.has(each))
  );
}

/** Whether the client secret would go to a new address. */
export function hasNewSecretAddress(before: ConfigRow, after: ConfigSettings): boolean {
  return (['token_url', 'revocation_url'] as const).some((field) => after[field] && before[field] !== after[field]);
}

function getBuiltInSettings(name: string, given: ConfigInput) {
  const { authorization_params: _own, token_params: _too, ...facts } = given;
  const field = Object.entries(facts).find(([, value]) => value !== undefined)?.[0];
  if (field)
    throw new AppError('invalid_input', `${field}: ${name} is built in. Leave it out, or choose another name.`);
  const none = { label: null, authorization_url: null, token_url: null, token_auth_method: null };
  return { ...none, userinfo_url: null, revocation_url: null, scopes: [], api_hosts: [] };
}

function checkParameters({ authorization_params, token_params }: ConfigInput): void {
  for (const [field, record] of Object.entries({ authorization_params, token_params })) {
    const taken = Object.keys(record ?? {}).find((key) => reserved.test(key));
    if (taken) throw new AppError('invalid_input', `${field}: ${taken} is set by this server itself.`);
  }
}

function checkAddress(field: string, address: string | null | undefined, checkUrl: (url: string) => void): void {
  if (!address) return;
  try {
    checkUrl(address);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('invalid_input', `${field}: ${error.message}`, {}, { cause: error });
  }
}

function createUnknownProviderError(name: string): AppError {
  return new AppError(
    'invalid_input',
    `provider: there is no OAuth provider ${name}. For a custom provider give authorization_url and token_url.`,
  );
}
