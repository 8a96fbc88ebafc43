import { canDoAllOfPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import type { Starter } from '../store/tables.ts';

/** The rights of the caller who starts a run, stored with the run. */
export function buildStarter({ caller }: Pick<Context, 'caller'>): Starter {
  const { scopes, reach, homeBrainId, label, ownRules } = caller;
  return {
    kind: caller.kind,
    isPerson: canDoAllOfPerson(caller),
    scopes: [...scopes],
    reach,
    homeBrainId,
    label,
    ownRules,
  };
}
