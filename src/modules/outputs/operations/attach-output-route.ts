import { canDoAllOfPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import {
  draftAnswer,
  createDraftInCall,
  finishDraft,
  takeReplyTo,
  type PendingDraftAnswer,
  type GateDeps,
} from '#modules/actions';
import { findBrains } from '#modules/brains';
import { findWebhookConnector } from '#modules/webhooks';
import { parseAddress } from '#platform/egress';
import { z } from 'zod';
import { checkAddress } from '../check-address.ts';
import { openOutputRoute, type OpenRoute } from '../open-output-route.ts';
import { mayUse, type RouteSource } from '../check-route.ts';
import { countRoutes, findDestination, insertRoute } from '../store/destinations.ts';
import { routeExamples, routeInput, getRouteSource, type RouteInput } from '../route-input.ts';

const output = z.object({
  output_route_id: z.uuid().nullable(),
  status: z.enum(['active', 'waiting']).describe('waiting: a person must approve the draft first.'),
  draft: draftAnswer.nullable(),
});

/** The limit of routes of a destination, and of a connector: each event is stored once for each route. */
const mostRoutes = 100;

type AttachResult = { routeId: string | null; drafted: PendingDraftAnswer | null };

export function attachOutputRoute({ gate }: { gate: GateDeps }) {
  return defineOperation({
    name: 'attach_output_route',
    summary:
      'Attach a route: send documents of a webhook connector, or events of a brain, of drafts or of runs, to a destination. An agent’s route waits for approval.',
    toolset: 'webhooks',
    effect: 'write',
    isWidening: true,
    access: { scope: 'connectors:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/output-routes' }],
    input: routeInput,
    output,
    errors: ['not_found', 'forbidden', 'conflict', 'invalid_input'],
    examples: routeExamples,
    async run(ctx, asked): Promise<AttachResult> {
      const replied = await takeReplyTo(ctx, gate, asked);
      if (replied) return { routeId: null, drafted: replied };
      const route = await buildRoute(ctx, asked);
      const isOpen = (await checkAddress(ctx, route.url)) === null && canDoAllOfPerson(ctx.caller);
      await store(ctx, route, asked, isOpen ? 'active' : 'waiting');
      if (isOpen) return { routeId: route.route_id, drafted: null };
      const connection = { id: null, account: parseAddress(route.url).hostname };
      const request = {
        action: openOutputRoute,
        payload: route,
        connection,
        notify: ['inbox' as const],
        batchId: null,
      };
      return { routeId: route.route_id, drafted: await createDraftInCall(ctx, gate, request) };
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
async function buildRoute(ctx: Context, asked: RouteInput): Promise<OpenRoute> {
  const destination = await findDestination(ctx.db, asked.output_destination_id);
  if (!destination || destination.state === 'deleted') throw createNotFoundError('destination');
  const source = getRouteSource(asked);
  if (!(await mayUse(ctx.db, source, destination)))
    throw new AppError(
      'forbidden',
      'The owner of the destination may not read this source. A connector can be read by its owner, and by administrators who read its brain.',
    );
  const { to, from } = await countRoutes(ctx.db, { destinationId: destination.id, sourceId: source.source_id });
  if (to >= mostRoutes || from >= mostRoutes)
    throw new AppError(
      'conflict',
      `A destination and a connector may each have ${mostRoutes} routes. Detach some first.`,
    );
  return {
    route_id: ctx.newId(),
    url: destination.url,
    headers: destination.headers,
    destination_name: destination.name,
    source_kind: source.source_kind,
    source_id: source.source_id ?? source.brain_id,
    source_name: await readSourceName(ctx, source),
    format: asked.output_payload_format,
    type_filter: asked.output_type_filter ?? null,
    tag_filter: asked.output_tag_filter ?? [],
  };
}

/** The name of a source, for the person who approves the route. */
async function readSourceName(ctx: Context, { source_kind, source_id, brain_id }: RouteSource): Promise<string> {
  if (source_id !== null) return (await findWebhookConnector(ctx.db, source_id))?.name ?? '';
  if (brain_id !== null) return (await findBrains(ctx.db, [brain_id]))[0]?.name ?? '';
  return source_kind === 'drafts' ? 'Drafts' : 'Runs of automations';
}

function store(ctx: Context, route: OpenRoute, asked: RouteInput, state: 'active' | 'waiting'): Promise<void> {
  const { route_id: id, format, type_filter, tag_filter } = route;
  const { workspaceId: workspace_id, personId: person_id } = ctx.caller;
  const of = { ...getRouteSource(asked), destination_id: asked.output_destination_id, format, type_filter, tag_filter };
  return insertRoute(ctx.db, { id, workspace_id, person_id, ...of, state, created_at: ctx.now });
}
