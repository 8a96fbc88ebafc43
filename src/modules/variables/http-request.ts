// Any request that may change something outside, as an action: it goes through the gate like every other effect.
import { defineAction } from '#kernel/action';
import type { Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import type { Connected } from '#kernel/module';
import { bodyJson, bodyText, type Egress, type EgressResponse } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import { openVariables } from './resolve-handles.ts';

const longestResult = 16_000;

const payload = z.strictObject({
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
  url: z.url().max(8_000),
  headers: z.record(z.string().max(200), z.string().max(16_000)),
  body: z.string().max(100_000).optional(),
  /** Which variables stand behind the handles in it, as the chain of who drafted it had them. */
  variables: z.array(z.strictObject({ handle: z.string().max(40), variable_id: z.uuid() })).max(50),
});
type Payload = z.output<typeof payload>;

type Reach = { send(request: Payload): Promise<EgressResponse> };

/** Makes how a draft of this action reaches its address: by the one door, with values in the place of handles. */
export function createHttpReach({
  egress,
  vault,
  transactions,
}: {
  egress: Egress;
  vault: Vault;
  transactions: Transactions;
}) {
  return ({ workspace_id: workspaceId }: Connected, signal: AbortSignal): Reach => ({
    async send({ method, url, headers, body, variables }) {
      const handles = await transactions.run(workspaceId, 'read', (db) => openVariables(vault, db, variables));
      return egress.request({
        method,
        url,
        headers,
        handles,
        signal,
        ...(body !== undefined && { body }),
        redirects: 'refuse',
      });
    },
  });
}

/** Nothing tells what an unknown address does with a request, so that a person decides about each; nobody can be asked afterwards. */
export const httpRequest = defineAction<typeof payload, Reach>({
  name: 'http_request',
  source: 'http',
  summary: 'Send a request to a public https address.',
  risk: 'destructive',
  handle: 'none',
  requiresConfirmation: true,
  payload,
  example: { method: 'POST', url: 'https://api.example.com/notes', headers: {}, body: '{"text":"Hi"}', variables: [] },
  editable: ['body'],

  preview: ({ method, url, headers, body }) => ({
    title: `${method} ${new URL(url).host}${new URL(url).pathname}`.slice(0, 200),
    fields: [
      { label: 'Method', text: method },
      { label: 'Address', text: url },
      ...Object.entries(headers).map(([name, value]) => ({ label: `Header ${name}`, text: value })),
      ...(body === undefined ? [] : [{ label: 'Body', text: body }]),
    ],
    isComplete: true,
  }),

  target: ({ method, url }) => ({ recipients: [], what: `${method} ${new URL(url).host}${new URL(url).pathname}` }),

  prepare: async () => ({}),

  async send(reach, request) {
    const response = await reach.send(request);
    const { status } = response;
    if (status < 400) return { status, ...told(response) };
    const message = `${new URL(request.url).host} answered ${status}. ${bodyText(response).slice(0, 500)}`;
    // Below 500 it was refused; above, nobody knows how far it came.
    throw Object.assign(new AppError('upstream_failed', message), {
      delivery: status < 500 ? 'not_sent' : 'maybe_sent',
    });
  },

  lookup: async () => ({
    state: 'ambiguous',
    reason: 'The answer was lost, and this address cannot be asked what it did. Look there, and say what became of it.',
  }),
});

function told(response: EgressResponse): Record<string, unknown> {
  const text = bodyText(response);
  if (text.length > longestResult) return { body: `${text.slice(0, longestResult)}… cut` };
  try {
    return { json: bodyJson(response) };
  } catch {
    return { body: text };
  }
}
