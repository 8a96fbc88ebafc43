import type { Context } from '#kernel/context';
import { defineOperation } from '#kernel/operation';
import { checkRead } from '#modules/actions';
import { brainId } from '#modules/brains';
import { noteSync } from '#modules/connections';
import type { Jobs } from '#platform/jobs';
import { z } from 'zod';
import { ingest } from '../ingest.ts';
import { chooseAccount, connectedSources } from '../linked-accounts.ts';
import { planOf } from '../plan.ts';
import type { Link } from '../provider-client.ts';
import type { OfAccount } from '../reader.ts';
import { sources } from '../providers/index.ts';
import type { Reader, Source } from '../sources/source.ts';

const readable = sources.filter((source) => source.supports.fetch);

/** What was settled inside the transaction. */
type Prepared = { source: Source; link: Link; of: OfAccount; brain: string };

const input = z.strictObject({
  source: z.enum(readable.map((source) => source.name)).describe('What to read from.'),
  request: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .optional()
    .describe('gmail, drive: the query. calendar, ics: a window of dates, such as «next week». Not needed with input.'),
  input: z
    .record(z.string().max(100), z.unknown())
    .optional()
    .describe(
      'gmail, drive: {query, limit?}. calendar, ics: {start, end} as ISO dates or times. http_json: {}, or how the answer is read. Others: {since, limit?}. Better than request.',
    ),
  brain_id: brainId.optional().describe('Where the pages go; default: your home brain.'),
  account: z
    .string()
    .trim()
    .min(1)
    .max(320)
    .optional()
    .describe('Which account, when several are linked: its name, or its connection_id.'),
});

const output = z.object({
  source: z.string(),
  request: z.string().nullable(),
  brain_id: z.uuid(),
  ingested_count: z.number().int().describe('Pages that are new or changed; 0 when all was there already.'),
  page_slugs: z.array(z.string()).describe('Every page that was read, the unchanged ones too.'),
  translation_log: z.array(z.string()),
  errors: z.array(z.object({ item: z.string(), message: z.string() })).optional(),
  note: z.string().optional(),
});

export function fetchFromIntegration(options: {
  readerOf: (link: Link, of: OfAccount) => Reader;
  publicUrl: string;
  /** How many bytes of files a workspace keeps. */
  attachmentRoom: number;
  jobs: Jobs;
}) {
  const { readerOf, publicUrl, attachmentRoom, jobs } = options;
  return defineOperation({
    name: 'fetch_from_integration',
    summary:
      'Read mails, events or files from a connected integration now and store them as pages; then use search, query or list_pages. Use it when those find nothing that should be there.',
    toolset: 'integrations',
    effect: 'external_read',
    access: { scope: 'integrations:fetch', brain: { role: 'editor', of: 'brain_id' } },
    rest: [{ method: 'POST', path: '/v1/integrations/fetch' }],
    input,
    output,
    errors: [
      'not_found',
      'invalid_input',
      'conflict',
      'unavailable',
      'upstream_failed',
      'payload_too_large',
      'forbidden',
    ],
    examples: [
      {
        title: 'Mails of one sender',
        input: { source: 'gmail', input: { query: 'from:noah after:2026/04/01', limit: 100 } },
      },
      { title: 'A week', input: { source: 'calendar', request: 'events from 2026-06-01 through 2026-06-07' } },
    ],

    choices: async (ctx) => ({ source: await connectedSources(ctx, readable, 'read') }),

    run: (ctx, asked) => prepare(ctx, asked, publicUrl),

    async afterCommit(ctx, { source, link, of, brain }, asked) {
      const reader = readerOf(link, of);
      const moment = { now: ctx.now, timeZone: (await source.timeZoneOf?.(reader)) ?? 'UTC' };
      const plan = planOf(source, asked, moment);
      const into = { brainId: brain, room: attachmentRoom, jobs, source, reader };
      const { count, slugs, errors, stopped } = await ingest(ctx, into, source.read(reader, plan.input, moment));
      if (!stopped) await ctx.transact(({ db, now }) => noteSync(db, link.connectionId, now));
      return {
        source: source.name,
        request: asked.request ?? null,
        brain_id: brain,
        ingested_count: count,
        page_slugs: slugs,
        translation_log: plan.log,
        ...(errors.length && { errors }),
        ...(stopped && { note: `Reading stopped before the end: ${stopped} What was read until then is stored.` }),
      };
    },
  });
}

async function prepare(ctx: Context, asked: z.output<typeof input>, publicUrl: string): Promise<Prepared> {
  const source = sourceOf(asked.source);
  planOf(source, asked, { now: ctx.now, timeZone: 'UTC' }); // what cannot be understood is refused before anything is asked outside
  const row = await chooseAccount(ctx, source, { account: asked.account, publicUrl });
  await checkRead(ctx, source.name, row.account);
  const link = { workspaceId: row.workspace_id, connectionId: row.id, provider: row.provider };
  return { source, link, of: row, brain: asked.brain_id ?? (await ctx.brains()).homeBrainId };
}

function sourceOf(name: string): Source {
  const source = readable.find((each) => each.name === name);
  if (!source) throw new Error(`the input schema allows the unknown source ${name}`);
  return source;
}
