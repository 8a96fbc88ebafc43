import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { derivable, resolveConsentPlace, type ConsentPlan, type CheckUrl } from '../consents/consent-plan.ts';
import { scopeId } from '../ids.ts';
import { makeLink } from '../links/links.ts';
import { ownClientNames } from '../consents/providers.ts';
import { sharedTier } from '../access/tier-rules.ts';
import type { LinkField } from '../store/links.ts';
import { hosts, placements, variableDescription, variableName, varScope } from '../variable-fields.ts';

const minutes = 30;

const bundleVariable = z.strictObject({
  name: variableName,
  label: z.string().trim().min(1).max(120),
  description: variableDescription.optional(),
  input_type: z.enum(['text', 'password', 'url', 'email', 'tel']).default('password'),
  placements: placements.optional(),
  hosts: hosts.optional(),
});

const bundleOauth = z.strictObject({
  provider: z.string().trim().min(1).max(60).optional().describe(`${ownClientNames}; default: found by the scopes.`),
  authorize_url: z.url().max(1_000).optional().describe('With token_url: any other provider.'),
  token_url: z.url().max(1_000).optional(),
  scopes: z.array(z.string().trim().min(1).max(300)).min(1).max(60),
  client_id_from: variableName.describe('Which of the pasted variables is the client id.'),
  client_secret_from: variableName,
  derive: z
    .record(variableName, z.enum(derivable))
    .refine((derive) => Object.keys(derive).length > 0, 'must name at least one variable')
    .describe('Variables that the consent creates: {"MY_REFRESH_TOKEN": "refresh_token"}.'),
});

const input = z.strictObject({
  bundle_variables: z.array(bundleVariable).min(1).max(20),
  bundle_oauth: bundleOauth.optional(),
  bundle_provider_label: z.string().trim().min(1).max(120).optional(),
  var_scope: varScope,
  scope_id: scopeId.optional(),
});

const output = z.object({
  url: uri(),
  variables_pasted: z.array(z.string()),
  variables_derived_from_oauth: z.array(z.string()),
  variables_will_be_saved: z.array(z.string()),
  redirect_uri: uri().optional().describe('The redirect URI to enter at the provider, for its OAuth client.'),
  expires_in: z.string(),
});

const examples = [
  {
    title: 'Two keys of one service',
    input: {
      bundle_variables: [
        { name: 'STRIPE_PUBLISHABLE_KEY', label: 'Publishable Key', input_type: 'text' },
        { name: 'STRIPE_SECRET_KEY', label: 'Secret Key', description: 'Developers → API keys' },
      ],
      var_scope: 'org',
    },
  },
  {
    title: 'An OAuth client of your own, and its refresh token',
    input: {
      bundle_variables: [
        { name: 'MY_GMAIL_CLIENT_ID', label: 'Client ID' },
        { name: 'MY_GMAIL_CLIENT_SECRET', label: 'Client Secret' },
      ],
      bundle_oauth: {
        scopes: ['https://www.googleapis.com/auth/gmail.send'],
        client_id_from: 'MY_GMAIL_CLIENT_ID',
        client_secret_from: 'MY_GMAIL_CLIENT_SECRET',
        derive: { MY_GMAIL_REFRESH_TOKEN: 'refresh_token' },
      },
      bundle_provider_label: 'Our Google',
      var_scope: 'person',
    },
  },
] satisfies { title: string; input: z.input<typeof input> }[];

type BundleLinkDeps = { publicUrl: string; checkUrl: CheckUrl; getHost: (place: ConsentPlan) => string };

export function createVariableBundleLink({ publicUrl, checkUrl, getHost }: BundleLinkDeps) {
  return defineOperation({
    name: 'create_variable_bundle_link',
    summary:
      'Create a link where a person sets several variables at once and, with bundle_oauth, gives a consent that creates more. Give them the link.',
    toolset: 'variables',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true,
    access: { scope: 'variables:write', also: [sharedTier] },
    rest: [{ method: 'POST', path: '/v1/variable-bundle-links' }],
    input,
    output,
    errors: ['forbidden', 'not_found', 'invalid_input'],
    examples,
    async run(ctx, { bundle_variables, bundle_oauth, bundle_provider_label, var_scope, scope_id }) {
      const pasted = bundle_variables.map(({ name }) => name);
      const consent = bundle_oauth ? buildConsentPlan(bundle_oauth, bundle_provider_label, checkUrl) : null;
      const derived = Object.keys(consent?.derive ?? {});
      checkNames(pasted, derived, consent);
      const fields = bundle_variables.map((given) => buildLinkField(given, consent, consent ? getHost(consent) : ''));
      const label = bundle_provider_label ?? consent?.label ?? pasted.join(', ').slice(0, 120);
      const token = await makeLink(ctx, { var_scope, scope_id, label, fields, consent, minutes });
      return {
        url: `${publicUrl}/set-variables/${token}`,
        variables_pasted: pasted,
        variables_derived_from_oauth: derived,
        variables_will_be_saved: [...pasted, ...derived],
        ...(consent && { redirect_uri: `${publicUrl}/bundle-oauth-callback` }),
        expires_in: `${minutes} minutes`,
      };
    },
  });
}

function buildConsentPlan(
  oauth: z.output<typeof bundleOauth>,
  label: string | undefined,
  checkUrl: CheckUrl,
): ConsentPlan {
  const { provider, authorize_url: authorizeUrl, token_url: tokenUrl, scopes, derive } = oauth;
  const { client_id_from: clientIdFrom, client_secret_from: clientSecretFrom } = oauth;
  const place = resolveConsentPlace({ provider, label, scopes, authorizeUrl, tokenUrl }, checkUrl);
  return { ...place, scopes, clientIdFrom, clientSecretFrom, derive };
}

function checkNames(pasted: readonly string[], derived: readonly string[], consent: ConsentPlan | null): void {
  const all = [...pasted, ...derived];
  const twice = all.find((name, at) => all.indexOf(name) !== at);
  if (twice) throw new AppError('invalid_input', `bundle_variables: ${twice} is named twice.`);
  for (const from of consent ? [consent.clientIdFrom, consent.clientSecretFrom] : []) {
    if (!pasted.includes(from))
      throw new AppError('invalid_input', `bundle_oauth: ${from} is not one of the pasted variables.`);
  }
}

/**
 * A field of the form. The client's own fields go to the token endpoint, in the fields it expects, and nowhere else.
 */
function buildLinkField(
  given: z.output<typeof bundleVariable>,
  consent: ConsentPlan | null,
  tokenHost: string,
): LinkField {
  const { name, label, description = '', input_type: inputType, hosts: proposed = [] } = given;
  const field = { name, label, description, inputType };
  const part = { [consent?.clientIdFrom ?? '']: 'client_id', [consent?.clientSecretFrom ?? '']: 'client_secret' }[name];
  if (consent && part)
    return { ...field, placements: ['header', `form:${part}`], hosts: [tokenHost], asksHosts: false };
  return { ...field, ...(given.placements && { placements: given.placements }), hosts: proposed, asksHosts: true };
}
