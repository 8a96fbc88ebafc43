import { useQuery } from '@tanstack/react-query';
import { useHasScope } from '../../entities/me.ts';
import { findUpdates } from './find-updates.ts';
import { buildRecipesQuery, installsQuery } from './requests.ts';

const staleTime = 5 * 60_000;

/** How many installs have an update, in the navigation. */
export function UpdatesCount({ className }: { className?: string }) {
  const enabled = useHasScope('recipes:read');
  const { data: installs = [] } = useQuery({ ...installsQuery, enabled, staleTime });
  const isNeeded = enabled && installs.length > 0;
  const { data: recipes = [] } = useQuery({ ...buildRecipesQuery({}), enabled: isNeeded, staleTime });
  const { size } = findUpdates(installs, recipes);
  if (!size) return null;
  return (
    <span className={className}>
      {size}
      <span className="sr-only"> {size === 1 ? 'update' : 'updates'}</span>
    </span>
  );
}
