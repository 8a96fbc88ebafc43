import { standsForPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError, notFound } from '#kernel/errors';
import { exampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { draftAnswer, draftInCall, finishDraft, takeReplyTo, type Drafted, type GateDeps } from '#modules/actions';
import { findWebhookConnector, webhookConnectorId } from '#modules/webhooks';
import { z } from 'zod';
import { checkAddress } from '../check-address.ts';
import { destinationId } from '../ids.ts';
import { openOutputRoute, type OpenRoute } from '../open-output-route.ts';
import { mayReceive } from '../route-holds.ts';
import { findDestination, insertRoute } from '../store/destinations.ts';
import { formats } from '../store/tables.ts';

const input = z.strictObject({
  output_source_kind: z.enum(['webhook_connector']),
  output_source_id: webhookConnectorId,
  output_destination_id: destinationId,
  output_payload_format: z
    .enum(formats)
    .default('translated_docs')
    .describe('translated_docs: the documents that fit. raw_payload: what the sender sent.'),
  output_type_filter: z.string().trim().min(1).max(200).optional().describe('Only documents of exactly this type.'),
  output_tag_filter: z
    .array(z.string().trim().min(1).max(100))
    .max(50)
    .optional()
    .describe('Only with all these tags.'),
});
type Input = z.output<typeof input>;

const output = z.object({
  output_route_id: z.uuid().nullable(),
  status: z.enum(['active', 'waiting']).describe('waiting: a person has to approve the draft first.'),
  draft: draftAnswer.nullable(),
});

type Ran = { routeId: string | null; drafted: Drafted | null };

export function attachOutputRoute({ gate }: { gate: GateDeps }) {
  return defineOperation({
    name: 'attach_output_route',
    summary: 'Pass the documents of a webhook connector on to a destination; an agent’s route waits for approval.',
    toolset: 'webhooks',
    effect: 'write',
    isWidening: true,
    access: { scope: 'connectors:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/output-routes' }],
    input,
    output,
    errors: ['not_found', 'forbidden', 'conflict', 'invalid_input'],
    examples: [
      {
        title: 'Only incidents',
        input: {
          output_source_kind: 'webhook_connector',
          output_source_id: exampleId('webhook_connector'),
          output_destination_id: exampleId('output_destination'),
          output_payload_format: 'translated_docs',
          output_type_filter: 'incident',
          output_tag_filter: ['urgent'],
        },
      },
    ],
    async run(ctx, asked): Promise<Ran> {
      const replied = await takeReplyTo(ctx, gate, asked);
      if (replied) return { routeId: null, drafted: replied };
      const route = await newRoute(ctx, asked);
      const isOpen = (await checkAddress(ctx, route.url)) === null && standsForPerson(ctx.caller);
      await store(ctx, route, asked, isOpen ? 'active' : 'waiting');
      if (isOpen) return { routeId: route.route_id, drafted: null };
      const connection = { id: null, account: new URL(route.url).hostname };
      const request = {
        action: openOutputRoute,
        payload: route,
        connection,
        notify: ['inbox' as const],
        batchId: null,
      };
      return { routeId: route.route_id, drafted: await draftInCall(ctx, gate, request) };
    },
    async afterCommit(ctx, { routeId, drafted }, asked) {
      if (!drafted) return { output_route_id: routeId, status: 'active' as const, draft: null };
      const draft = await finishDraft(ctx, gate, drafted, asked);
      const isOpen = draft.status === 'confirmed';
      return { output_route_id: routeId, status: isOpen ? ('active' as const) : ('waiting' as const), draft };
    },
  });
}

/** The payload to approve. */
async function newRoute(ctx: Context, asked: Input): Promise<OpenRoute> {
  const destination = await findDestination(ctx.db, asked.output_destination_id);
  const source = await findWebhookConnector(ctx.db, asked.output_source_id);
  if (!destination || destination.state === 'deleted' || !source) throw notFound('destination');
  if (!(await mayReceive(ctx.db, destination, source)))
    throw new AppError('forbidden', 'The owner of the destination is a member and does not own this connector.');
  return {
    route_id: ctx.newId(),
    url: destination.url,
    headers: destination.headers,
    destination_name: destination.name,
    source_kind: 'webhook_connector',
    source_id: source.id,
    source_name: source.name,
    format: asked.output_payload_format,
    type_filter: asked.output_type_filter ?? null,
    tag_filter: asked.output_tag_filter ?? [],
  };
}

function store(
  ctx: Context,
  route: OpenRoute,
  { output_destination_id: destination_id }: Input,
  state: 'active' | 'waiting',
): Promise<void> {
  const { route_id: id, source_kind, source_id, format, type_filter, tag_filter } = route;
  const { workspaceId: workspace_id, personId: person_id } = ctx.caller;
  const of = { source_kind, source_id, destination_id, format, type_filter, tag_filter };
  return insertRoute(ctx.db, { id, workspace_id, person_id, ...of, state, created_at: ctx.now });
}
