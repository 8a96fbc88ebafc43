import { queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';

type ListedSuggestion = Output<'list_suggestions'>['suggestions'][number];
/** What would be saved: fields of the operation that the agent called. */
type SuggestedInput = Partial<Omit<Input<'add_core_knowledge'>, 'brain_id'> & Omit<Input<'skills'>, 'brain_id'>>;
export type Suggestion = Omit<ListedSuggestion, 'proposed'> & { proposed: SuggestedInput & { is_enabled?: boolean } };

/** Pending suggestions for core knowledge and skills. */
export const suggestionsQuery = queryOptions({
  queryKey: ['brains', 'suggestions'],
  queryFn: ({ signal }) => call('list_suggestions', {}, { signal }),
  select: (answer) => answer.suggestions as Suggestion[], // what is proposed was parsed by that operation's schema
});

export function decideSuggestion(id: string, decision: 'accept' | 'decline'): Promise<unknown> {
  return call(`${decision}_suggestion`, { suggestion_id: id });
}

/** Whether a suggestion is about core knowledge; otherwise it is about a skill. */
export function isAboutKnowledge({ kind }: Suggestion): boolean {
  return kind === 'add_core_knowledge' || kind === 'remove_core_knowledge';
}
