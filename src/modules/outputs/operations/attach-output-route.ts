import { standsForPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError, notFound } from '#kernel/errors';
import { exampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { draftAnswer, draftInCall, finishDraft, takeReplyTo, type Drafted, type GateDeps } from '#modules/actions';
import { brainId, findBrains } from '#modules/brains';
import { findWebhookConnector, webhookConnectorId } from '#modules/webhooks';
import { z } from 'zod';
import { checkAddress } from '../check-address.ts';
import { destinationId } from '../ids.ts';
import { openOutputRoute, type OpenRoute } from '../open-output-route.ts';
import { mayUse, type RouteSource } from '../route-holds.ts';
import { findDestination, insertRoute } from '../store/destinations.ts';
import { formats, sourceKinds } from '../store/tables.ts';

const fields = z.strictObject({
  output_source_kind: z
    .enum(sourceKinds)
    .describe(
      'webhook_connector: what a connector takes in. brain: changes of memories and pages in a brain. drafts, runs: those of the person who owns the destination.',
    ),
  output_source_id: webhookConnectorId.optional().describe('Of webhook_connector.'),
  output_source_brain_id: brainId.optional().describe('Of brain.'),
  output_destination_id: destinationId,
  output_payload_format: z
    .enum(formats)
    .default('translated_docs')
    .describe('translated_docs: the documents that fit. raw_payload: what the sender sent.'),
  output_type_filter: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Only documents of exactly this type; of the other sources only events of this name, such as draft.decided.',
    ),
  output_tag_filter: z
    .array(z.string().trim().min(1).max(100))
    .max(50)
    .optional()
    .describe('Only with all these tags.'),
});
type Input = z.output<typeof fields>;

const input = fields.superRefine((asked, check) => {
  const refuse = (path: keyof Input, message: string) => check.addIssue({ code: 'custom', path: [path], message });
  const { output_source_kind: kind, output_source_id, output_source_brain_id } = asked;
  if ((kind === 'webhook_connector') !== (output_source_id !== undefined))
    refuse('output_source_id', 'Name the connector for webhook_connector, and for no other kind.');
  if ((kind === 'brain') !== (output_source_brain_id !== undefined))
    refuse('output_source_brain_id', 'Name the brain for brain, and for no other kind.');
  if (kind === 'webhook_connector') return;
  if (asked.output_payload_format === 'raw_payload')
    refuse('output_payload_format', 'Only requests to a connector have a raw payload. Leave it out.');
  if (asked.output_tag_filter?.length) refuse('output_tag_filter', 'Events of the product have no tags. Leave it out.');
});

const output = z.object({
  output_route_id: z.uuid().nullable(),
  status: z.enum(['active', 'waiting']).describe('waiting: a person has to approve the draft first.'),
  draft: draftAnswer.nullable(),
});

type Ran = { routeId: string | null; drafted: Drafted | null };

export function attachOutputRoute({ gate }: { gate: GateDeps }) {
  return defineOperation({
    name: 'attach_output_route',
    summary:
      'Pass on to a destination what a webhook connector takes in, or events of a brain, of drafts or of runs; an agent’s route waits for approval.',
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
      {
        title: 'Changes in a brain',
        input: {
          output_source_kind: 'brain',
          output_source_brain_id: exampleId('brain'),
          output_destination_id: exampleId('output_destination'),
        },
      },
      {
        title: 'Decided drafts',
        input: {
          output_source_kind: 'drafts',
          output_destination_id: exampleId('output_destination'),
          output_type_filter: 'draft.decided',
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
  if (!destination || destination.state === 'deleted') throw notFound('destination');
  const source = sourceIn(asked);
  if (!(await mayUse(ctx.db, source, destination)))
    throw new AppError(
      'forbidden',
      'The owner of the destination is a member and does not own this connector, or does not read this brain.',
    );
  return {
    route_id: ctx.newId(),
    url: destination.url,
    headers: destination.headers,
    destination_name: destination.name,
    source_kind: source.source_kind,
    source_id: source.source_id ?? source.brain_id,
    source_name: await nameOf(ctx, source),
    format: asked.output_payload_format,
    type_filter: asked.output_type_filter ?? null,
    tag_filter: asked.output_tag_filter ?? [],
  };
}

function sourceIn(asked: Input): RouteSource {
  return {
    source_kind: asked.output_source_kind,
    source_id: asked.output_source_id ?? null,
    brain_id: asked.output_source_brain_id ?? null,
  };
}

/** The name of a source, for the person who approves the route. */
async function nameOf(ctx: Context, { source_kind, source_id, brain_id }: RouteSource): Promise<string> {
  if (source_id !== null) return (await findWebhookConnector(ctx.db, source_id))?.name ?? '';
  if (brain_id !== null) return (await findBrains(ctx.db, [brain_id]))[0]?.name ?? '';
  return source_kind === 'drafts' ? 'Drafts' : 'Runs of automations';
}

function store(ctx: Context, route: OpenRoute, asked: Input, state: 'active' | 'waiting'): Promise<void> {
  const { route_id: id, format, type_filter, tag_filter } = route;
  const { workspaceId: workspace_id, personId: person_id } = ctx.caller;
  const of = { ...sourceIn(asked), destination_id: asked.output_destination_id, format, type_filter, tag_filter };
  return insertRoute(ctx.db, { id, workspace_id, person_id, ...of, state, created_at: ctx.now });
}
