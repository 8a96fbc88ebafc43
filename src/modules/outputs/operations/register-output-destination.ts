import { canDoAllOfPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { findCallerKeyId } from '#modules/accounts';
import { generateSigningSecret } from '#modules/webhooks';
import type { Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import {
  checkDeliveryUrl,
  destinationKinds,
  destinationName,
  destinationUrl,
  maxPerMinute,
  ownHeaders,
  buildDestinationSecretColumn,
  usualPerMinute,
  resolveHeaderVariables,
} from '../destination.ts';
import { generateFeedToken } from '../feed/token.ts';
import { insertDestination } from '../store/destinations.ts';

const input = z.strictObject({
  name: destinationName,
  output_destination_url: destinationUrl.optional(),
  output_destination_kind: z
    .enum(destinationKinds)
    .describe("webhook: events are sent to the address. feed: a reader fetches them with the feed's token."),
  headers: ownHeaders.optional(),
  max_per_minute: maxPerMinute.optional(),
});
type Input = z.output<typeof input>;

const output = z.object({
  output_destination_id: z.uuid(),
  output_destination_url: uri(),
  signing_secret: z
    .string()
    .nullable()
    .describe('Shown only now. Null for an agent: a person creates a new one with rotate_output_secret.'),
  signing_scheme: z.literal('standard_webhooks').nullable().describe('Null for a feed.'),
  feed_token: z
    .string()
    .nullable()
    .describe("The feed's token, shown only now. Null for an agent: a person creates one with rotate_output_secret."),
  secret_link: uri()
    .nullable()
    .describe('For an agent: the page where its person creates a secret or token, which is shown once.'),
});

type Dependencies = { egress: Egress; vault: Vault; publicUrl: string };

export function registerOutputDestination({ egress, vault, publicUrl }: Dependencies) {
  return defineOperation({
    name: 'register_output_destination',
    summary:
      'Register a destination: an address that events are sent to, or a feed they are read from. It receives nothing until a route to it is approved.',
    toolset: 'webhooks',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true,
    access: { scope: 'connectors:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/output-destinations' }],
    aliases: { url: 'output_destination_url', kind: 'output_destination_kind' },
    input,
    output,
    errors: ['not_found', 'invalid_input'],
    examples: [
      {
        title: 'Your own service',
        input: {
          name: 'Warehouse',
          output_destination_url: 'https://hooks.example.com/in',
          output_destination_kind: 'webhook',
        },
      },
      { title: 'A program that fetches events', input: { name: 'Laptop', output_destination_kind: 'feed' } },
    ],
    run: (ctx, asked) =>
      asked.output_destination_kind === 'feed'
        ? createFeedDestination(ctx, publicUrl, asked)
        : createWebhookDestination(ctx, { egress, vault, publicUrl }, asked),
  });
}

async function createFeedDestination(ctx: Context, publicUrl: string, asked: Input) {
  const { name, output_destination_url, headers = {}, max_per_minute } = asked;
  if (output_destination_url !== undefined || Object.keys(headers).length || max_per_minute !== undefined)
    throw new AppError('invalid_input', 'A feed has no address, headers or max_per_minute of its own. Leave them out.');
  const { token, token_hash } = generateFeedToken();
  const isShown = canDoAllOfPerson(ctx.caller);
  const row = await buildEmptyRow(ctx);
  const of = {
    name,
    kind: 'feed' as const,
    url: `${publicUrl}/v1/feed`,
    headers: {},
    variables: [],
    secret: null,
    max_per_minute: null,
  };
  await insertDestination(ctx.db, { ...row, ...of, token_hash: isShown ? token_hash : null });
  return answer(row.id, { url: of.url, feed_token: isShown ? token : null, ...getSecretLink(ctx, publicUrl, row.id) });
}

async function createWebhookDestination(
  ctx: Context,
  { egress, vault, publicUrl }: Dependencies,
  { name, output_destination_url, headers = {}, max_per_minute = usualPerMinute }: Input,
) {
  if (output_destination_url === undefined)
    throw new AppError('invalid_input', 'output_destination_url: a destination of kind webhook needs an address.');
  const url = checkDeliveryUrl(egress, output_destination_url);
  const variables = await resolveHeaderVariables(ctx, vault, headers);
  const row = await buildEmptyRow(ctx);
  const signing_secret = generateSigningSecret();
  const secret = await vault.seal(ctx.db, buildDestinationSecretColumn(row), signing_secret);
  const of = { name, kind: 'webhook' as const, url, headers, variables, secret, max_per_minute, token_hash: null };
  await insertDestination(ctx.db, { ...row, ...of });
  const shown = canDoAllOfPerson(ctx.caller) ? signing_secret : null;
  const link = getSecretLink(ctx, publicUrl, row.id);
  return answer(row.id, { url, signing_scheme: 'standard_webhooks', signing_secret: shown, ...link });
}

/** The initial fields of a destination of either kind. */
async function buildEmptyRow(ctx: Context) {
  const { newId, now: at, caller } = ctx;
  const { workspaceId: workspace_id, personId: person_id } = caller;
  const key = await findCallerKeyId(ctx);
  const origin = { state_reason: null, made_by_key: key, secret_made_by_key: key };
  const health = { state: 'active' as const, failing_since: null, half_told: false, last_position: 0 };
  const previous = { previous_secret: null, previous_until: null };
  return { id: newId(), workspace_id, person_id, ...origin, ...health, ...previous, created_at: at, updated_at: at };
}

type ShownDestination = {
  url: string;
  signing_secret?: string | null;
  signing_scheme?: 'standard_webhooks';
  feed_token?: string | null;
  secret_link?: string;
};

function getSecretLink({ caller }: Context, publicUrl: string, id: string) {
  return canDoAllOfPerson(caller) ? {} : { secret_link: `${publicUrl}/destinations/${id}` };
}

function answer(output_destination_id: string, { url: output_destination_url, ...shown }: ShownDestination) {
  const none = { signing_secret: null, signing_scheme: null, feed_token: null, secret_link: null };
  return { output_destination_id, output_destination_url, ...none, ...shown };
}
