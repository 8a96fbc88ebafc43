import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Notice } from '../../design/states.tsx';
import { isAboutKnowledge, suggestionsQuery } from '../brains/suggestion-requests.ts';
import { brainsQuery } from '../../entities/brains.ts';

/** Says that agents suggest changes of core knowledge or skills, and leads to the first of them. */
export function SuggestionsNotice() {
  const { data: suggestions = [] } = useQuery(suggestionsQuery);
  const { data: brains = [] } = useQuery(brainsQuery);
  const [first] = suggestions;
  const brainId = first?.brain_id ?? brains[0]?.id;
  if (!first || !brainId) return null;
  const count = suggestions.length === 1 ? '1 suggestion waits' : `${suggestions.length} suggestions wait`;
  return (
    <Notice tone="wait">
      {count}: an agent wants to change core knowledge or skills.{' '}
      <Link
        to="/brains/$brainId"
        params={{ brainId }}
        search={{ tab: isAboutKnowledge(first) ? 'knowledge' : 'skills' }}
        className="font-medium underline underline-offset-2"
      >
        Review
      </Link>
    </Notice>
  );
}
