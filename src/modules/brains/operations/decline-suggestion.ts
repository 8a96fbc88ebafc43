import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { suggestionId } from '../ids.ts';
import { decide, lockWaitingSuggestion } from './accept-suggestion.ts';

export const declineSuggestion = defineOperation({
  name: 'decline_suggestion',
  summary: "Decline an agent's suggestion for core knowledge or skills. Nothing changes.",
  toolset: 'brains',
  effect: 'write',
  access: {
    scope: 'knowledge:write',
    brain: { role: 'admin', of: 'suggestion_id', whenAbsent: 'allow' },
    isForPeople: true,
  },
  rest: [{ method: 'POST', path: '/v1/suggestions/{suggestion_id}/decline' }],
  input: z.strictObject({ suggestion_id: suggestionId }),
  output: z.object({ suggestion_id: z.uuid(), state: z.literal('declined') }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [{ title: 'Keep it unchanged', input: { suggestion_id: createExampleId('suggestion') } }],
  async run(ctx, { suggestion_id }) {
    await decide(ctx, await lockWaitingSuggestion(ctx, suggestion_id), 'declined');
    return { suggestion_id, state: 'declined' as const };
  },
});
