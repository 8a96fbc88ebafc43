// Approves a route as an action. After that, its events are sent without further approval.
import { isDeepStrictEqual } from 'node:util';
import { defineAction } from '#kernel/action';
import type { Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import type { DraftConnection } from '#kernel/module';
import { parseAddress } from '#platform/egress';
import { z } from 'zod';
import { mayUse } from './check-route.ts';
import { findDestination, findRoute, lockRoute, updateRoute } from './store/destinations.ts';
import { formats, sourceKinds, type SourceKind } from './store/tables.ts';

const payload = z.strictObject({
  route_id: z.uuid(),
  url: z.url().max(2_000),
  /** As stored: handles stand for secret values. */
  headers: z.record(z.string(), z.string()),
  destination_name: z.string().max(200),
  source_kind: z.enum(sourceKinds),
  /** The connector or brain; drafts and runs are those of the destination's owner. */
  source_id: z.uuid().nullable(),
  source_name: z.string().max(200),
  format: z.enum(formats),
  type_filter: z.string().max(200).nullable(),
  tag_filter: z.array(z.string().max(100)).max(50),
});
export type OpenRoute = z.output<typeof payload>;

type Reach = { open(route: OpenRoute): Promise<void>; isOpen(routeId: string): Promise<boolean> };

/** Opens the route of an approved draft, in one transaction. */
export function createRouteReach({ transactions }: { transactions: Transactions }) {
  return ({ workspace_id: workspaceId }: DraftConnection): Reach => ({
    open: (asked) =>
      transactions.run(workspaceId, 'write', async (db) => {
        const route = await lockRoute(db, asked.route_id);
        const destination = route && (await findDestination(db, route.destination_id));
        const isSame =
          route !== undefined &&
          destination !== undefined &&
          (await mayUse(db, route, destination)) &&
          destination.url === asked.url &&
          isDeepStrictEqual(destination.headers, asked.headers) &&
          route.format === asked.format &&
          route.type_filter === asked.type_filter &&
          route.source_kind === asked.source_kind &&
          (route.source_id ?? route.brain_id) === asked.source_id &&
          JSON.stringify(route.tag_filter) === JSON.stringify(asked.tag_filter);
        if (!route || !isSame || route.state === 'detached')
          throw Object.assign(
            new AppError(
              'conflict',
              'The route, its address, its headers or its owner changed since then. Attach it again.',
            ),
            {
              delivery: 'not_sent',
            },
          );
        await updateRoute(db, route.id, 'active');
      }),
    isOpen: (routeId) =>
      transactions.run(workspaceId, 'write', async (db) => (await findRoute(db, routeId))?.state === 'active'),
  });
}

/** A person approves a route once, for this address, source, format and filters. */
export const openOutputRoute = defineAction<typeof payload, Reach>({
  name: 'open_output_route',
  source: 'outputs',
  summary:
    'Send the documents of a webhook connector, or events of a brain, of drafts or of runs, to an address from now on.',
  risk: 'write',
  handle: 'state',
  requiresConfirmation: true,
  payload,
  example: {
    route_id: '01920000-0000-7000-8000-000000000001',
    url: 'https://hooks.example.com/in',
    headers: {},
    destination_name: 'Warehouse',
    source_kind: 'webhook_connector',
    source_id: '01920000-0000-7000-8000-000000000002',
    source_name: 'GitHub',
    format: 'translated_docs',
    type_filter: null,
    tag_filter: [],
  },
  editable: [],

  preview: ({ url, headers, destination_name, source_kind, source_name, format, type_filter, tag_filter }) => ({
    title: `Send events of ${source_name} to ${destination_name}`.slice(0, 200),
    fields: [
      { label: 'Address', text: url },
      { label: 'Headers', text: formatHeaders(headers) },
      { label: 'Source', text: sourceText[source_kind](source_name) },
      { label: 'Format', text: formatText(source_kind, format) },
      { label: 'Type', text: type_filter ?? 'Every type' },
      { label: 'Tags', text: tag_filter.join(', ') || 'Any' },
      { label: 'From then on', text: 'Every matching event is sent there without further approval.' },
    ],
    isComplete: true,
  }),

  target: ({ url }) => ({ recipients: [], what: `POST ${parseAddress(url).host}` }),

  prepare: async () => ({}),

  async send(reach, asked) {
    await reach.open(asked);
    return { route_id: asked.route_id, state: 'active' };
  },

  async lookup(reach, { route_id }) {
    return (await reach.isOpen(route_id))
      ? { state: 'confirmed', result: { route_id, state: 'active' } }
      : { state: 'failed', error: { message: 'The route was not opened.' } };
  },
});

const sourceText: Record<SourceKind, (name: string) => string> = {
  webhook_connector: (name) => `Webhook connector ${name}`,
  brain: (name) => `Changes of memories and pages in the brain ${name}`,
  drafts: () => 'New and decided drafts of the destination’s owner',
  runs: () => 'Runs of automations of the destination’s owner',
};

function formatText(kind: SourceKind, format: OpenRoute['format']): string {
  if (kind !== 'webhook_connector') return 'Ids and states, without content';
  return format === 'raw_payload' ? 'The payload as received' : 'The documents made of it';
}

function formatHeaders(headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return lines.join('\n') || 'None';
}
