import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { incomingActions } from '#modules/memory';
import type { MeaningOf } from '#platform/embeddings';
import type { Jobs } from '#platform/jobs';
import type { Search } from '#platform/search';
import { z } from 'zod';
import { ingest, longestContent, type Answer } from '../ingesting.ts';
import { routingMethods } from '../place.ts';

const none = z.literal('').transform(() => undefined);
/** Automation products send empty texts for fields that nobody filled in, and numbers for ids that look like one. */
const maybe = (most: number) => z.union([none, z.string().trim().max(most)]).optional();
const maybeId = (most: number) => z.union([none, z.string().trim().max(most), z.number().transform(String)]).optional();

const input = z.strictObject({
  content: z.string().trim().min(1).max(longestContent).describe('The text to keep.'),
  source_channel: maybe(200).describe('Where on the platform it comes from, such as gmail, fathom or #engineering.'),
  source_user: maybe(300).describe('Who it is from, such as ada@example.com.'),
  source_id: maybeId(500).describe('The sender’s own id of it. The same id again replaces what was sent before.'),
  target_brain_id: z.union([none, brainId]).optional().describe('The brain to put it into, without routing.'),
  thread_id: maybeId(200).describe('Conversation it belongs to. A mail thread is kept as one memory.'),
  author: maybe(200).describe('Who said or wrote it. Default: source_user.'),
  role: z.union([none, z.enum(['user', 'assistant', 'other'])]).optional(),
  occurred_at: z
    .union([none, z.iso.datetime({ offset: true })])
    .optional()
    .describe('When it was said. Default: now.'),
});
export type IngestInput = z.output<typeof input>;

const output = z.object({
  id: z.uuid().nullable().describe('The memory; null when it was dropped.'),
  brain_id: z.uuid().nullable(),
  brain_name: z.string().nullable(),
  source: z.string(),
  source_channel: z.string().nullable(),
  source_user: z.string().nullable(),
  source_label: z.string().describe('platform:channel:identity'),
  auto_routed: z.boolean(),
  routing: z.object({
    method: z.enum([...routingMethods, 'dropped']),
    confidence: z.number().describe('0 to 1. 1: a rule or the sender named the brain.'),
  }),
  review_id: z.uuid().nullable().describe('Set when the place was not clear, and a person should look at it.'),
  dedup: z.object({
    action: z.enum([...incomingActions, 'dropped']),
    previous_id: z.uuid().nullable().describe('The earlier version, which stays in its history.'),
  }),
  pages: z.array(z.string()).describe('Slugs of the pages that hold the whole of a long text.'),
});

export function ingestOperation(deps: { search: Search; jobs: Jobs; meaningOf: MeaningOf | null }) {
  const { meaningOf } = deps;
  return defineOperation({
    name: 'ingest',
    summary:
      'Send a text from another system; it is put into the brain that it fits, and once however often it is sent.',
    toolset: 'ingest',
    effect: 'write',
    access: { scope: 'ingest:write', brain: { role: 'editor', of: 'target_brain_id', whenAbsent: 'allow' } },
    rest: [{ method: 'POST', path: '/v1/ingest' }],
    maxBodyBytes: 4_000_000,
    takesLooseBodies: true,
    input,
    output,
    errors: ['not_found', 'forbidden', 'invalid_input', 'payload_too_large'],
    examples: [
      {
        title: 'Notes of a meeting',
        input: {
          content: 'Q3 planning: we put mobile before desktop.',
          source_channel: 'fathom',
          source_user: 'ada@example.com',
          source_id: 'meeting_q3_planning',
        },
      },
    ],
    run: (ctx, asked): Promise<Answer | null> => ingest(ctx, deps, asked, meaningOf ? undefined : null),
    async afterCommit(ctx, answer, asked) {
      if (answer || !meaningOf) return told(answer);
      const { meaning } = await meaningOf(asked.content.slice(0, 2_000));
      return told(await ctx.transact((inner: Context) => ingest(inner, deps, asked, meaning)));
    },
  });
}

function told(answer: Answer | null): Answer {
  if (!answer) throw new AppError('internal', 'An item was neither placed nor scored.');
  return answer;
}
