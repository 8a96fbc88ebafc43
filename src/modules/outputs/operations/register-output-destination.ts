import { standsForPerson } from '#kernel/caller';
import { defineOperation } from '#kernel/operation';
import type { Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import { newSigningSecret } from '../delivering/sign.ts';
import { checkedUrl, destinationName, destinationUrl, ownHeaders, secretPlace, variablesIn } from '../destination.ts';
import { insertDestination } from '../store/destinations.ts';

export function registerOutputDestination({ egress, vault }: { egress: Egress; vault: Vault }) {
  return defineOperation({
    name: 'register_output_destination',
    summary: 'Name an address that events can be passed on to; it gets nothing until a route to it is approved.',
    toolset: 'webhooks',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true,
    access: { scope: 'connectors:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/output-destinations' }],
    aliases: { url: 'output_destination_url', kind: 'output_destination_kind' },
    input: z.strictObject({
      name: destinationName,
      output_destination_url: destinationUrl,
      output_destination_kind: z.enum(['webhook']),
      headers: ownHeaders.optional(),
    }),
    output: z.object({
      output_destination_id: z.uuid(),
      signing_secret: z
        .string()
        .nullable()
        .describe('Shown this once. Null for an agent: a person makes a new one with rotate_output_secret.'),
      signing_scheme: z.literal('standard_webhooks'),
    }),
    errors: ['not_found', 'invalid_input'],
    examples: [
      {
        title: 'A service of your own',
        input: {
          name: 'Warehouse',
          output_destination_url: 'https://hooks.example.com/in',
          output_destination_kind: 'webhook',
        },
      },
    ],
    async run(ctx, { name, output_destination_url, output_destination_kind: kind, headers = {} }) {
      const url = checkedUrl(egress, output_destination_url);
      const variables = await variablesIn(ctx, vault, headers);
      const { workspaceId: workspace_id, personId: person_id } = ctx.caller;
      const of = { id: ctx.newId(), workspace_id };
      const secret = newSigningSecret();
      const sealed = await vault.seal(ctx.db, secretPlace(of), secret);
      const empty = { previous_secret: null, previous_until: null, failing_since: null, half_told: false };
      const times = { created_at: ctx.now, updated_at: ctx.now };
      const row = { ...of, person_id, name, kind, url, headers, variables, secret: sealed, state: 'active' as const };
      await insertDestination(ctx.db, { ...row, ...empty, ...times });
      return {
        output_destination_id: of.id,
        signing_secret: standsForPerson(ctx.caller) ? secret : null,
        signing_scheme: 'standard_webhooks' as const,
      };
    },
  });
}
