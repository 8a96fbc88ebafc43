import { infiniteQueryOptions, queryOptions, skipToken } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';
import type { Connector } from '../../entities/webhook-connectors.ts';

export type Version = Connector['versions'][number];
export type Provider = Output<'list_webhook_providers'>['providers'][number];
export type WebhookEvent = Output<'list_webhook_events'>['events'][number];
export type EventDetail = Output<'get_webhook_event'>;
export type Outcome = WebhookEvent['outcome'];
export type Fixture = Output<'list_webhook_test_fixtures'>['fixtures'][number];
export type Sample = Output<'get_webhook_samples'>['samples'][number];
export type ReplayResult = Output<'replay_webhook_events'>;
export type TranslatorTest = Output<'test_webhook_translator'>;
export type EventFilter = NonNullable<Input<'list_webhook_events'>['webhook_event_filter']>;

/** The server emits no events for incoming requests, so that intake stays fast. Visible lists are polled. */
const lookMs = 2_000;

/** The senders that the server knows. */
export const providersQuery = queryOptions({
  queryKey: ['webhooks', 'providers'],
  queryFn: async ({ signal }) => (await call('list_webhook_providers', {}, { signal })).providers,
  staleTime: Infinity,
});

export function buildConnectorQuery(id: string) {
  return queryOptions({
    queryKey: ['webhooks', 'one', id],
    queryFn: ({ signal }) => call('get_webhook_connector', { webhook_connector_id: id }, { signal }),
  });
}

/** A one-time secret, kept until the person leaves the page. */
export type FreshConnectorSecret = { url?: string; secret?: string };

export function buildFreshConnectorQuery(id: string) {
  return queryOptions<FreshConnectorSecret>({ queryKey: ['webhooks-fresh', id], queryFn: skipToken });
}

export type EventQuery = { connectorId: string; filter: EventFilter; text: string | undefined };

function toEventListInput({ connectorId, filter, text }: EventQuery) {
  return { webhook_connector_id: connectorId, webhook_event_filter: filter, ...(text && { text }) };
}

const pageSize = 25;

/** Events, the newest first. Further pages are asked for less often. */
export function buildEventsQuery(query: EventQuery) {
  return infiniteQueryOptions({
    queryKey: ['webhooks', 'events', query.connectorId, query.filter, query.text ?? ''],
    queryFn: ({ pageParam, signal }) =>
      call('list_webhook_events', { ...toEventListInput(query), limit: pageSize, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ has_more }, pages) => (has_more ? pages.length * pageSize : undefined),
    refetchInterval: ({ state }) => (state.data?.pages.length ?? 1) * lookMs,
  });
}

export function buildEventQuery(id: string) {
  return queryOptions({
    queryKey: ['webhooks', 'event', id],
    queryFn: ({ signal }) => call('get_webhook_event', { webhook_event_id: id }, { signal }),
    refetchInterval: ({ state }) => (state.data?.outcome === 'received' ? lookMs : false),
  });
}

export function buildSamplesQuery(id: string) {
  return queryOptions({
    queryKey: ['webhooks', 'samples', id],
    queryFn: async ({ signal }) =>
      (await call('get_webhook_samples', { webhook_connector_id: id, limit: 25 }, { signal })).samples,
    refetchInterval: 2 * lookMs,
  });
}

export function buildFixturesQuery(id: string) {
  return queryOptions({
    queryKey: ['webhooks', 'fixtures', id],
    queryFn: async ({ signal }) =>
      (await call('list_webhook_test_fixtures', { webhook_connector_id: id }, { signal })).fixtures,
  });
}

export function createConnector(input: Input<'create_webhook_connector'>) {
  return call('create_webhook_connector', input);
}

export function updateConnector(input: Input<'update_webhook_config'>) {
  return call('update_webhook_config', input);
}

/** A secret that was made for an agent, or sent by the sender itself; the server shows it once. */
export function showSecret(webhook_connector_id: string) {
  return call('show_webhook_secret', { webhook_connector_id });
}

export function activateConnector(input: Input<'activate_webhook_connector'>) {
  return call('activate_webhook_connector', input);
}

export function pauseConnector(webhook_connector_id: string) {
  return call('pause_webhook_connector', { webhook_connector_id });
}

export function deleteConnector(webhook_connector_id: string) {
  return call('delete_webhook_connector', { webhook_connector_id });
}

export function addFixture(input: Input<'add_webhook_test_fixture'>) {
  return call('add_webhook_test_fixture', input);
}

export function testFixture(input: Input<'test_webhook_translator'>) {
  return call('test_webhook_translator', input);
}

export type Backtest = Output<'backtest_webhook_translator'>;

/** Compares the newest version with the active one on past events; nothing is stored. */
export function buildBacktestQuery(webhook_connector_id: string) {
  return queryOptions({
    queryKey: ['webhooks', 'backtest', webhook_connector_id],
    queryFn: ({ signal }) => call('backtest_webhook_translator', { webhook_connector_id }, { signal }),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
}

export function deleteFixture(fixture_id: string) {
  return call('delete_webhook_test_fixture', { fixture_id });
}

export type ReplayChoice = { eventId?: string; version?: number; isDry: boolean };

/** Translates events of a query again, or one of them. */
export function replayEvents(query: EventQuery, { eventId, version, isDry }: ReplayChoice) {
  return call('replay_webhook_events', {
    ...(eventId === undefined ? toEventListInput(query) : { webhook_connector_id: query.connectorId }),
    ...(eventId !== undefined && { webhook_event_id: eventId }),
    ...(version !== undefined && { version }),
    dry_run: isDry,
  });
}
