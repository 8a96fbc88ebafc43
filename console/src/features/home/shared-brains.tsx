import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Tag } from '../../design/page.tsx';
import { brainsQuery } from '../../entities/brains.ts';
import { HomeCard } from './home-card.tsx';

const mostShown = 5;

/** The brains that others share with the person, which their own memories say nothing of. */
export function SharedBrains() {
  const { data: brains = [] } = useQuery(brainsQuery);
  const shared = brains.filter(({ is_personal, access_level }) => !is_personal && access_level !== 'owner');
  if (!shared.length) return null;
  return (
    <HomeCard title="Shared with you" to="/brains">
      <ul className="divide-y divide-line">
        {shared.slice(0, mostShown).map(({ id, name, description, memory_count, access_level }) => (
          <li key={id}>
            <Link
              to="/brains/$brainId"
              params={{ brainId: id }}
              search={{}}
              className="flex items-start gap-3 px-5 py-3 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate text-sm font-medium">{name}</span>
                <span className="block truncate text-[13px] text-faint">
                  {memory_count === 1 ? '1 memory' : `${memory_count.toLocaleString()} memories`}
                  {description && ` · ${description}`}
                </span>
              </span>
              <Tag>{access_level}</Tag>
            </Link>
          </li>
        ))}
      </ul>
    </HomeCard>
  );
}
