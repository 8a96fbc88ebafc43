import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export type KnowledgeItem = {
  id: string;
  content: string;
  visibility: 'inherited' | 'local';
  version: number;
  brain_id: string;
  brain_name: string;
  is_inherited: boolean;
  is_active: boolean;
  added_by: string;
  created_at: string;
  deactivated_at: string | null;
  deactivated_by: string | null;
};

export type KnowledgeSection = { section: string; items: KnowledgeItem[] };

/** What always holds on a brain, by section; with `history` also what was replaced or removed. */
export function knowledgeQuery(brainId: string, history: boolean) {
  return queryOptions({
    queryKey: ['brains', 'knowledge', brainId, history],
    queryFn: ({ signal }) =>
      call<{ sections: KnowledgeSection[] }>('list_core_knowledge', { brain_id: brainId, history }, { signal }),
    select: (answer) => answer.sections,
    placeholderData: (before) => before,
  });
}

export type NewKnowledge = {
  brain_id: string;
  section: string;
  content: string;
  visibility: KnowledgeItem['visibility'];
};

export function addKnowledge(item: NewKnowledge): Promise<{ section: string; replaced: string | null }> {
  return call('add_core_knowledge', item);
}

export function removeKnowledge(input: { brain_id: string; item_id: string }): Promise<unknown> {
  return call('remove_core_knowledge', input);
}
