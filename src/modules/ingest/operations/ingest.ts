import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import type { FindMeaning } from '#platform/embeddings';
import type { Jobs } from '#platform/jobs';
import type { Search } from '#platform/search';
import { ingestAnswer, ingestInput, type IngestAnswer } from '../ingest-form.ts';
import { ingest } from '../ingest-item.ts';

export function ingestOperation(deps: { search: Search; jobs: Jobs; meaningOf: FindMeaning | null }) {
  const { meaningOf } = deps;
  return defineOperation({
    name: 'ingest',
    summary: 'Ingest a text from another system: it is stored in the brain that fits, once however often it is sent.',
    toolset: 'ingest',
    effect: 'write',
    access: { scope: 'ingest:write', brain: { role: 'editor', of: 'target_brain_id', whenAbsent: 'allow' } },
    rest: [{ method: 'POST', path: '/v1/ingest' }],
    maxBodyBytes: 4_000_000,
    takesLooseBodies: true,
    input: ingestInput,
    output: ingestAnswer,
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
    run: (ctx, asked): Promise<IngestAnswer | null> => ingest(ctx, deps, asked, meaningOf ? undefined : null),
    async afterCommit(ctx, answer, asked) {
      if (answer || !meaningOf) return requireAnswer(answer);
      const { meaning } = await meaningOf(asked.content.slice(0, 2_000), ctx);
      return requireAnswer(await ctx.transact((inner: Context) => ingest(inner, deps, asked, meaning)));
    },
  });
}

function requireAnswer(answer: IngestAnswer | null): IngestAnswer {
  if (!answer) throw new AppError('internal', 'An item was neither placed nor scored.');
  return answer;
}
