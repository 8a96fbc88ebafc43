import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import type { Sandbox } from '#platform/sandbox';
import { z } from 'zod';
import { checkContents } from '../check-contents.ts';
import { webhookConnectorId, webhookEventId } from '../ids.ts';
import { replayable } from '../outcomes.ts';
import { findConnector, findVersion, findVersionByNumber, lockConnector } from '../store/connectors.ts';
import { findEvent, listReplayableEventIds, requeueEvents } from '../store/events.ts';
import { listFixtures } from '../store/fixtures.ts';
import type { ConnectorRow, EventRow, VersionRow } from '../store/tables.ts';
import { buildEventInput } from '../translating/build-input.ts';
import { translate, type TranslatorInput } from '../translating/translate.ts';
import { eventQuery, parseTimes } from './list-webhook-events.ts';
import { versionNumber } from './test-webhook-translator.ts';

const mostAtOnce = 500;
const mostShown = 50;

const input = z.strictObject({
  ...eventQuery,
  webhook_connector_id: webhookConnectorId,
  webhook_event_id: webhookEventId.optional().describe('One event. Default: all that match the filter, at most 500.'),
  version: versionNumber.optional().describe('A version whose fixtures have passed. Default: the active one.'),
  dry_run: z.boolean().default(true).describe('Only translate, and show the results. False: store them.'),
});

const result = z.object({
  webhook_event_id: z.uuid(),
  outcome: z.enum(['ingest', 'drop', 'error']),
  detail: z.string().nullable(),
  documents: z.number().int(),
});
type Result = z.input<typeof result>;
type ReplayedEvents = { ids: string[]; version: VersionRow };

export function replayWebhookEvents({ sandbox, wake }: { sandbox: Sandbox; wake: () => void }) {
  return defineOperation({
    name: 'replay_webhook_events',
    summary:
      'Translate events again, one or all that match a filter. Documents that they stored before are superseded, not duplicated.',
    toolset: 'webhooks',
    effect: 'write',
    access: { scope: 'connectors:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/webhook-connectors/{webhook_connector_id}/replay' }],
    aliases: { connector_id: 'webhook_connector_id', filter: 'webhook_event_filter' },
    input,
    output: z.object({
      dry_run: z.boolean(),
      version: z.number().int(),
      events: z.number().int(),
      results: z.array(result).describe('For a dry run: results of the first 50 events.'),
    }),
    maxAtOnce: 2,
    errors: ['not_found', 'forbidden', 'conflict', 'unavailable'],
    examples: [
      {
        title: 'What a replay of the errors would store',
        input: {
          webhook_connector_id: createExampleId('tested_webhook_connector'),
          webhook_event_filter: 'errors',
          dry_run: true,
        },
      },
    ],
    run: choose,
    async afterCommit(ctx, { ids, version }, { dry_run }) {
      if (!dry_run) wake();
      const results: Result[] = [];
      for (const id of dry_run ? ids.slice(0, mostShown) : []) {
        const input = await ctx.transact(async ({ db }) => {
          const event = await findEvent(db, id);
          return event && isReplayable(event) ? buildEventInput(db, event) : null;
        });
        if (input)
          results.push({
            webhook_event_id: id,
            ...(await tryTranslation(sandbox, version, input, ctx.caller.personId)),
          });
      }
      return { dry_run, version: version.number, events: ids.length, results };
    },
  });
}

/** The events and the version. Without `dry_run`, this also queues the events. */
async function choose(ctx: Context, asked: z.output<typeof input>): Promise<ReplayedEvents> {
  const { webhook_connector_id: id, version: number, dry_run } = asked;
  await checkContents(ctx, id);
  const connector = dry_run ? await findConnector(ctx.db, id) : await lockConnector(ctx.db, id);
  if (!connector) throw createNotFoundError('webhook connector');
  const versionId = connector.active_version_id ?? connector.head_version_id;
  const version =
    number === undefined ? await findVersion(ctx.db, versionId) : await findVersionByNumber(ctx.db, id, number);
  if (!version) throw createNotFoundError('version');
  if (version.code === null) throw new AppError('conflict', 'This version has no translator. Set translator_code.');
  const ids = await listEventIds(ctx, asked);
  if (dry_run) return { ids, version };
  await checkMayRun(ctx, connector, version);
  await requeueEvents(ctx.db, ids, version.id);
  return { ids, version };
}

async function listEventIds(ctx: Context, asked: z.output<typeof input>): Promise<string[]> {
  const { webhook_connector_id: connectorId, webhook_event_filter: filter, text, webhook_event_id: id } = asked;
  if (id === undefined)
    return listReplayableEventIds(ctx.db, { connectorId, filter, text, ...parseTimes(asked) }, replayable, mostAtOnce);
  const event = await findEvent(ctx.db, id);
  return event?.connector_id === connectorId && isReplayable(event) ? [event.id] : [];
}

/** Throws unless the version is the active one, or has passed every fixture. */
async function checkMayRun(ctx: Context, connector: ConnectorRow, version: VersionRow): Promise<void> {
  if (connector.state !== 'active')
    throw new AppError('conflict', 'The connector is not active. Activate it first, then replay.');
  if (version.id === connector.active_version_id) return;
  const fixtures = await listFixtures(ctx.db, connector.id, version.id);
  if (fixtures.length > 0 && fixtures.every(({ passed_at }) => passed_at !== null)) return;
  throw new AppError('conflict', 'The fixtures have not passed for this version. Call test_webhook_translator.');
}

/** Translates an event with a version, and stores nothing. */
async function tryTranslation(
  sandbox: Sandbox,
  version: VersionRow,
  input: TranslatorInput,
  personId: string,
): Promise<Omit<Result, 'webhook_event_id'>> {
  const { translation } = await translate(sandbox, version, input, {
    domain: `webhook:${version.id}`,
    turn: { kind: 'test', of: personId },
  });
  const documents = translation.kind === 'documents' ? translation.documents.length : 0;
  const outcome = ({ documents: 'ingest', drop: 'drop', error: 'error' } as const)[translation.kind];
  const detail = translation.kind === 'drop' ? translation.reason : null;
  const error = translation.kind === 'error' ? translation.message : null;
  return { outcome, detail: error ?? detail, documents };
}

function isReplayable({ outcome, body }: EventRow): boolean {
  return body !== null && replayable.includes(outcome);
}
