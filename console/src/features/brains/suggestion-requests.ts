import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export type Suggestion = {
  suggestion_id: string;
  kind: 'add_core_knowledge' | 'remove_core_knowledge' | 'save_skill' | 'place_skill';
  brain_id: string | null;
  brain_name: string | null;
  skill_id: string | null;
  skill_name: string | null;
  proposed: {
    section?: string;
    content?: string;
    name?: string;
    visibility?: 'inherited' | 'local';
    action?: 'assign' | 'unassign' | 'enable' | 'disable';
    is_enabled?: boolean;
    agent_id?: string;
  };
  now: string | null;
  is_outdated: boolean;
  suggested_by: { agent: string; person: string };
  created_at: string;
};

/** What agents suggest for core knowledge and skills, and nobody has decided yet. */
export const suggestionsQuery = queryOptions({
  queryKey: ['brains', 'suggestions'],
  queryFn: ({ signal }) => call<{ suggestions: Suggestion[] }>('list_suggestions', {}, { signal }),
  select: (answer) => answer.suggestions,
});

export function decideSuggestion(id: string, decision: 'accept' | 'decline'): Promise<unknown> {
  return call(`${decision}_suggestion`, { suggestion_id: id });
}

/** Whether a suggestion is about core knowledge; otherwise it is about a skill. */
export function isAboutKnowledge({ kind }: Suggestion): boolean {
  return kind === 'add_core_knowledge' || kind === 'remove_core_knowledge';
}
