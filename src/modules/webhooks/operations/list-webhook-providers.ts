import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { providerNames } from '../signatures/providers.ts';
import { getProvider } from '../signatures/schemes.ts';

/** The placeholder in the steps for an address that does not exist yet. */
const addressPlace = '<address>';

export const listWebhookProviders = defineOperation({
  name: 'list_webhook_providers',
  summary: 'List known webhook senders, with their setup steps and who creates the secret.',
  toolset: 'webhooks',
  effect: 'read',
  access: { scope: 'connectors:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/webhook-providers' }],
  input: z.strictObject({}),
  output: z.object({
    providers: z.array(
      z.object({
        provider: z.enum(providerNames),
        title: z.string(),
        secret_made_by: z
          .enum(['connector', 'sender'])
          .describe(
            'connector: created here, and entered at the sender. sender: copied from there into webhook_secret.',
          ),
        setup_steps: z.array(z.string()),
      }),
    ),
  }),
  errors: [],
  examples: [{ title: 'All', input: {} }],
  run: async () => ({
    providers: providerNames.map((provider) => {
      const { title, secret, steps } = getProvider(provider);
      return {
        provider,
        title,
        secret_made_by: secret === 'ours' ? ('connector' as const) : ('sender' as const),
        setup_steps: steps.map((step) => step.replaceAll('{url}', addressPlace)),
      };
    }),
  }),
});
