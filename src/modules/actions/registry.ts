import type { Action } from '#kernel/action';

/** Every action of the product, by source and name. */
export type ActionRegistry = {
  /** Throws for an unknown action: a stored draft always names a registered one. */
  get(source: string, name: string): Action;
  find(source: string, name: string): Action | undefined;
  all(): readonly Action[];
};

export function createActionRegistry(actions: readonly Action[]): ActionRegistry {
  const byName = new Map(actions.map((action) => [`${action.source}/${action.name}`, action]));
  if (byName.size < actions.length) throw new Error('two actions of a source share a name');
  const find = (source: string, name: string) => byName.get(`${source}/${name}`);
  return {
    find,
    get(source, name) {
      const action = find(source, name);
      if (!action) throw new Error(`there is no action ${source}/${name}`);
      return action;
    },
    all: () => actions,
  };
}
