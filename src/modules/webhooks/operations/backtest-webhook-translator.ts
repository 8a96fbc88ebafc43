import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import type { Sandbox } from '#platform/sandbox';
import { z } from 'zod';
import { checkContents } from '../check-contents.ts';
import { webhookConnectorId } from '../ids.ts';
import { replayable } from '../outcomes.ts';
import { findConnector, findVersion, findVersionByNumber } from '../store/connectors.ts';
import { findEvent, listNewestEventIds } from '../store/events.ts';
import type { VersionRow } from '../store/tables.ts';
import { compareAnswers, differences } from '../translating/compare-answers.ts';
import { buildEventInput } from '../translating/build-input.ts';
import { translate } from '../translating/translate.ts';
import { versionNumber } from './test-webhook-translator.ts';

const mostEvents = 500;
const examplesOfEach = 5;
const previewLength = 500;
/** The time limit of a backtest: a translator may take 5 s for each event. */
const finishWithinMs = 60_000;

const input = z.strictObject({
  webhook_connector_id: webhookConnectorId,
  version: versionNumber.optional().describe('The version to try. Default: the newest.'),
  against_version: versionNumber.optional().describe('The version to compare with. Default: the active one.'),
  limit: z.coerce.number().int().min(1).max(mostEvents).default(mostEvents).describe('How many of the last events.'),
});

const example = z.object({
  kind: z.enum(differences),
  webhook_event_id: z.uuid(),
  source_id: z.string().nullable(),
  before: z.string().nullable().describe('The beginning of the content, or the error, of the former version.'),
  after: z.string().nullable().describe('The same for the tried version.'),
});
const output = z.object({
  version: z.number().int(),
  against_version: z.number().int(),
  events: z.number().int().describe('Events that were compared.'),
  is_complete: z.boolean().describe('False: a minute passed before all events were compared.'),
  added: z.number().int().describe('Documents that only the tried version produces.'),
  lost: z.number().int().describe('Documents that only the former version produces.'),
  changed: z.number().int(),
  unchanged: z.number().int(),
  errors: z.number().int().describe('Events for which the tried version fails.'),
  examples: z.array(example).describe('The first 5 of each kind.'),
});
type Output = z.input<typeof output>;
type BacktestEvents = { ids: string[]; version: VersionRow; against: VersionRow };

export function createBacktestTranslator({ sandbox }: { sandbox: Sandbox }) {
  return defineOperation({
    name: 'backtest_webhook_translator',
    summary:
      'Compare the results of a new version of a translator with the active one for the last 500 events, without storing anything.',
    toolset: 'webhooks',
    effect: 'read',
    access: { scope: 'connectors:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/webhook-connectors/{webhook_connector_id}/backtest' }],
    aliases: { connector_id: 'webhook_connector_id', id: 'webhook_connector_id' },
    input,
    output,
    maxAtOnce: 2,
    errors: ['not_found', 'forbidden', 'conflict', 'unavailable'],
    examples: [
      { title: 'Before activation', input: { webhook_connector_id: createExampleId('changed_webhook_connector') } },
    ],
    run: choose,
    async afterCommit(ctx, { ids, version, against }) {
      const counts = { added: 0, lost: 0, changed: 0, unchanged: 0, error: 0 };
      const examples: Output['examples'] = [];
      const endsAt = performance.now() + finishWithinMs;
      let events = 0;
      let tried = 0;
      const turn = { kind: 'test' as const, of: ctx.caller.personId };
      // One event at a time, so that only one body is in memory.
      for (const id of ids) {
        if (performance.now() > endsAt) break;
        tried += 1;
        const given = await ctx.transact(async ({ db }) => {
          const event = await findEvent(db, id);
          return event?.body ? buildEventInput(db, event) : null;
        });
        if (!given) continue; // its body was deleted meanwhile
        const older = await translate(sandbox, against, given, { domain: `webhook:${against.id}`, turn });
        const newer = await translate(sandbox, version, given, { domain: `webhook:${version.id}`, turn });
        const { found, unchanged } = compareAnswers(older.translation, newer.translation);
        events += 1;
        counts.unchanged += unchanged;
        for (const { kind, source_id, before, after } of found) {
          counts[kind] += 1;
          if (counts[kind] > examplesOfEach) continue;
          const [was, is] = [cutPreview(before), cutPreview(after)];
          examples.push({ kind, webhook_event_id: id, source_id, before: was, after: is });
        }
      }
      const { error: errors, ...documents } = counts;
      const versions = { version: version.number, against_version: against.number };
      return { ...versions, events, is_complete: tried === ids.length, ...documents, errors, examples };
    },
  });
}

async function choose(ctx: Context, asked: z.output<typeof input>): Promise<BacktestEvents> {
  const { webhook_connector_id: id, limit } = asked;
  await checkContents(ctx, id);
  const connector = await findConnector(ctx.db, id);
  if (!connector) throw createNotFoundError('webhook connector');
  const version = await readVersion(ctx, id, asked.version, connector.head_version_id);
  const against = await readVersion(ctx, id, asked.against_version, connector.active_version_id);
  if (version.id === against.id)
    throw new AppError('conflict', `Version ${version.number} is compared with itself. Name another against_version.`);
  return { ids: await listNewestEventIds(ctx.db, id, replayable, limit), version, against };
}

async function readVersion(
  ctx: Context,
  connectorId: string,
  number: number | undefined,
  usualId: string | null,
): Promise<VersionRow> {
  if (number === undefined && usualId === null)
    throw new AppError('conflict', 'No version is active yet. Pass the version to compare with in against_version.');
  const found =
    number === undefined
      ? await findVersion(ctx.db, usualId ?? '')
      : await findVersionByNumber(ctx.db, connectorId, number);
  if (!found) throw createNotFoundError('version');
  if (found.code === null)
    throw new AppError('conflict', `Version ${found.number} has no translator. Set translator_code.`);
  return found;
}

function cutPreview(text: string | null): string | null {
  return text && text.slice(0, previewLength).toWellFormed();
}
