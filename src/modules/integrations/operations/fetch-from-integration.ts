import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { answerUnlinked, fetchNow, prepareFetchIfLinked, readable, type FetchDeps } from '../fetching.ts';
import { listConnectedSources } from '../linked-accounts.ts';

const input = z.strictObject({
  source: z.enum(readable.map((source) => source.name)).describe('The source to read from.'),
  request: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .optional()
    .describe(
      'gmail, drive: the search query. calendar, ics: a window of dates, such as «next week». Not needed with input.',
    ),
  input: z
    .record(z.string().max(100), z.unknown())
    .optional()
    .describe(
      'gmail, drive: {query, limit?}. calendar, ics: {start, end} as ISO dates or times. http_json: {}, or how to read the answer. Others: {since, limit?}. Preferred over request.',
    ),
  brain_id: brainId.optional().describe('The brain that receives the pages; default: your home brain.'),
  account: z
    .string()
    .trim()
    .min(1)
    .max(320)
    .optional()
    .describe('The account, when several are linked: its name, or its connection_id.'),
});

const output = z.object({
  source: z.string(),
  request: z.string().nullable(),
  brain_id: z.uuid(),
  ingested_count: z.number().int().describe('Number of new or changed pages; 0 when every page was stored already.'),
  page_slugs: z.array(z.string()).describe('Every page that was read, also unchanged ones.'),
  translation_log: z.array(z.string()),
  errors: z.array(z.object({ item: z.string(), message: z.string() })).optional(),
  verify_mode: z
    .literal(true)
    .optional()
    .describe('True when an automation runs in verify_mode: the pages are stored, and nothing is sent to a provider.'),
  note: z.string().optional().describe('Why nothing was read, or not everything.'),
});

export function fetchFromIntegration(deps: FetchDeps) {
  return defineOperation({
    name: 'fetch_from_integration',
    summary:
      'Read mails, events or files from a connected integration now, and store them as pages that search, query and list_pages find. Use it when those find nothing that should exist.',
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

    choices: async (ctx) => ({ source: await listConnectedSources(ctx, readable, 'read') }),

    run: (ctx, asked) => prepareFetchIfLinked(ctx, asked, deps.publicUrl),
    afterCommit: async (ctx, prepared, asked) =>
      'note' in prepared ? answerUnlinked(ctx, prepared, asked) : fetchNow(ctx, deps, prepared, asked),
  });
}
