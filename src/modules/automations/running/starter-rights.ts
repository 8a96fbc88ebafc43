import type { Context } from '#kernel/context';
import type { Starter } from '../store/tables.ts';

/** What whoever starts a run may do, kept with the run. */
export function starterOf({ caller }: Pick<Context, 'caller'>): Starter {
  const { scopes, reach, homeBrainId, label, ownRules } = caller;
  return { scopes: [...scopes], reach, homeBrainId, label, ownRules };
}
