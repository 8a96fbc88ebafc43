import { queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';

export type KnowledgeItem = KnowledgeSection['items'][number];

export type KnowledgeSection = Output<'list_core_knowledge'>['sections'][number];

/** The core knowledge of a brain, by section. `history` includes replaced and removed items. */
export function buildKnowledgeQuery(brainId: string, history: boolean) {
  return queryOptions({
    queryKey: ['brains', 'knowledge', brainId, history],
    queryFn: ({ signal }) => call('list_core_knowledge', { brain_id: brainId, history }, { signal }),
    select: (answer) => answer.sections,
    placeholderData: (before) => before,
  });
}

export type NewKnowledge = Input<'add_core_knowledge'>;

export function addKnowledge(item: NewKnowledge): Promise<Output<'add_core_knowledge'>> {
  return call('add_core_knowledge', item);
}

export function removeKnowledge(input: { brain_id: string; item_id: string }): Promise<unknown> {
  return call('remove_core_knowledge', input);
}
