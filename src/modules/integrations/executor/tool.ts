// An HTTP tool of an app, an agent or a recipe, as its builder writes it: one endpoint of one service, whose access it is
// called with, and what stands in for an answer as long as that access is not there.
import { z } from 'zod';
import { endpointSchema, pathsIn, secretsOf } from './endpoint.ts';

const name = z.string().trim().min(1).max(120);
/** Compared with what the provider was set up with, and never asked: plain http is there only where the operator excepted it. */
const url = z.url({ protocol: /^https?$/ }).max(2_000);
const parameters = z.record(z.string().max(100), z.string().max(500));

const staticSecret = z.strictObject({ type: z.literal('static_secret') });
const oauth2 = z.strictObject({
  type: z.literal('oauth2'),
  providerKey: name,
  identity: z.literal('triggering_user').default('triggering_user'),
  authorizationUrl: url,
  tokenUrl: url,
  scopes: z.array(z.string().min(1).max(300)).max(50),
  tokenAuthMethod: z.enum(['client_secret_post', 'client_secret_basic', 'none']).default('client_secret_post'),
  authorizationParams: parameters.optional(),
  tokenParams: parameters.optional(),
});
export type OAuthOfTool = z.output<typeof oauth2>;

/** Names of placeholders by which a tool would ask for a token itself; the broker puts it in, and shows it to nobody. */
const tokenNames = /^(oauth\.access_token|access_token|token)$/;

/** A tool as data. Secrets are named as `{{secrets.NAME}}`, what it is called with as `{{field}}`. */
export const toolSchema = z
  .strictObject({
    type: z.literal('custom').default('custom'),
    name,
    displayName: name.optional(),
    description: z.string().max(2_000).optional(),
    integration: z.strictObject({
      name,
      domain: z
        .string()
        .max(253)
        .regex(/^[a-z0-9.-]+$/, 'must be a host name in lower case, such as api.example.com'),
      keySlug: name.default('default'),
      auth: z.discriminatedUnion('type', [staticSecret, oauth2]).optional(),
    }),
    endpoint: endpointSchema,
    mockData: z.array(z.unknown()).max(50).default([]).describe('Answers that stand in while the access is missing.'),
  })
  .superRefine((tool, context) => {
    const path = ['endpoint'];
    const refuse = (message: string) => context.addIssue({ code: 'custom', path, message });
    const host = URL.parse(tool.endpoint.url)?.hostname ?? '';
    const { domain } = tool.integration;
    if (host !== domain && !host.endsWith(`.${domain}`)) refuse(`must be at ${domain} or below it, and not at ${host}`);
    if (tool.integration.auth?.type !== 'oauth2') return;
    const paths = [...pathsIn(tool.endpoint)];
    if (secretsOf(tool.endpoint).size) refuse('uses an account, and may not use secrets besides');
    if (paths.some((each) => tokenNames.test(each))) refuse('must not ask for the token; it is put in on the way out');
    if (Object.keys(tool.endpoint.headers ?? {}).some((each) => /^authorization$/i.test(each)))
      refuse('must not have an Authorization header; it is put in on the way out');
  });
export type Tool = z.output<typeof toolSchema>;
