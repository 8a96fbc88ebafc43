// A destination's settings: checked, sealed and shown.
import { canDoAllOfPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { findUnsendable, refuseBraces } from '#kernel/pasted-secret';
import { resolveHandles } from '#modules/variables';
import { parseAddress, type Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import type { DestinationRow } from './store/tables.ts';

export const destinationName = z.string().trim().min(1).max(120);
export const destinationKinds = ['webhook', 'feed'] as const;
export const destinationUrl = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .describe('Where to POST: https, at a public address. A feed has none.');
const ownHeader = z
  .string()
  .max(100)
  .regex(/^[A-Za-z][\w-]*$/, 'a header name');
export const ownHeaders = z
  .record(ownHeader, z.string().max(4_000))
  .refine((headers) => Object.keys(headers).length <= 20, 'at most 20 headers')
  .refine(
    (headers) => Object.keys(headers).every((name) => !/^(webhook-|content-|host$)/i.test(name)),
    'headers of the signature and the content are set here',
  )
  .describe('Your own headers. A value may contain the handle (sec_…) of a variable.');

/** A hundred a second: a flood is spread out, and usual traffic is not delayed. */
export const usualPerMinute = 6_000;
export const maxPerMinute = z
  .number()
  .int()
  .min(1)
  .max(60_000)
  .describe(`The most deliveries in any minute; further ones wait. Default: ${usualPerMinute}. A feed has none.`);

export const destinationOutput = z.object({
  output_destination_id: z.uuid(),
  name: z.string(),
  output_destination_kind: z.enum(destinationKinds),
  output_destination_url: uri().describe('For a feed: where it is read.'),
  headers: z.record(z.string(), z.string()).describe('Header values, with handles in place of secrets.'),
  max_per_minute: z.number().int().nullable().describe('The most deliveries in any minute. Null: a feed.'),
  status: z.enum(['active', 'paused', 'gone', 'deleted']).describe('gone: it answered 410.'),
  status_reason: z.string().nullable().describe('Why it was paused automatically.'),
  failing_since: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
});

export function presentDestination(row: DestinationRow): z.input<typeof destinationOutput> {
  return {
    output_destination_id: row.id,
    name: row.name,
    output_destination_kind: row.kind,
    output_destination_url: row.url,
    headers: row.headers,
    max_per_minute: row.max_per_minute,
    status: row.state,
    status_reason: row.state_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** The address to store, in its canonical form. Throws for an address that deliveries cannot reach. */
export function checkDeliveryUrl(egress: Egress, url: string): string {
  refuseBraces('output_destination_url', url);
  const { href, username, password, hash } = new URL(url);
  if (username || password || hash)
    throw new AppError('invalid_input', 'output_destination_url: give credentials in a header, not in the address.');
  egress.check(href);
  return parseAddress(href).href;
}

function checkHeaderValue(name: string, value: string): void {
  refuseBraces(`headers.${name}`, value);
  const odd = findUnsendable(value);
  if (odd)
    throw new AppError(
      'invalid_input',
      `headers.${name}: character ${odd.place} is ${odd.name}, which HTTP does not allow there.`,
    );
}

/** The variables behind the handles in headers. Throws for a handle that the caller does not have. */
export async function resolveHeaderVariables(ctx: Context, vault: Vault, headers: Record<string, string>) {
  for (const [name, value] of Object.entries(headers)) checkHeaderValue(name, value);
  const texts = Object.values(headers);
  const { handles, bound } = await resolveHandles(vault, ctx, texts);
  const named = new Set(texts.flatMap((text) => text.match(/sec_[A-Za-z0-9]{24}/g) ?? []));
  if (handles.length < named.size)
    throw new AppError('not_found', 'A handle in the headers is not one of your variables. See list_variables.');
  const written = bound.find(({ set_by_kind }) => set_by_kind === 'agent');
  if (written)
    throw new AppError(
      'invalid_input',
      `headers: an agent wrote the value of ${written.name}. Use handles only for secrets that a person set, and write other values directly.`,
    );
  return bound.map(({ handle, variable_id, version }) => ({ handle, variable_id, version }));
}

/** The vault context that binds the secret of a destination. */
export function buildDestinationSecretColumn({
  id: row,
  workspace_id: workspaceId,
}: Pick<DestinationRow, 'id' | 'workspace_id'>) {
  return { workspaceId, table: 'output_destinations', row, column: 'secret' };
}

/** The error when an agent activates a destination. */
export const activationRefused = 'The destination is paused, or it answered 410 Gone.';

/** How a reader gets earlier events again. */
export const rereadHint = 'Its reader reads again from an earlier cursor.';

/** Throws for a feed, which receives no requests. */
export function checkDestinationIsWebhook({ kind }: Pick<DestinationRow, 'kind'>, instead: string): void {
  if (kind === 'feed') throw new AppError('conflict', `This destination is a feed. ${instead}`);
}

/** Throws `forbidden` for an agent: only its person may do this. */
export function checkCallerIsPerson({ caller }: Context, what: string): void {
  if (canDoAllOfPerson(caller)) return;
  throw new AppError('forbidden', `${what} Ask your person to do this at the console.`);
}
