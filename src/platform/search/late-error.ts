import { AppError } from '#kernel/errors';
import type { LoadProgress } from './messages.ts';

const comeBackSeconds = 5;

/** The error for a search that is still waiting: for brains to load, or for a busy thread. */
export function createLateError(loads: readonly LoadProgress[]): AppError {
  const details = { retry_after: comeBackSeconds };
  if (!loads.length) return new AppError('unavailable', 'Search is busy. Try again in a moment.', details);
  const loaded = loads.reduce((sum, each) => sum + each.loaded, 0);
  const total = loads.reduce<number | null>(
    (sum, each) => (sum === null || each.total === null ? null : sum + each.total),
    0,
  );
  const progress = total === null ? `${loaded} entries so far` : `${loaded} of ${total} entries`;
  return new AppError(
    'unavailable',
    `The brain is being loaded for its first search: ${progress}. Try again in a moment.`,
    {
      ...details,
      loaded,
      total,
    },
  );
}
