import type { Action } from '#kernel/action';
import { memoizePerServer } from '#kernel/module';
import type { Ground } from '#platform';

/** Every action of the product, by source and name. */
export type ActionRegistry = {
  /**
   * The action of a payload. Throws for an unknown action: a stored draft always names a registered one.
   */
  get(source: string, name: string, payload: Record<string, unknown>): Action;
  find(source: string, name: string): Action | undefined;
  all(): readonly Action[];
};

function createActionRegistry(actions: readonly Action[]): ActionRegistry {
  const byName = new Map(actions.map((action) => [`${action.source}/${action.name}`, action]));
  if (byName.size < actions.length) throw new Error('two actions of a source share a name');
  const find = (source: string, name: string) => byName.get(`${source}/${name}`);
  return {
    find,
    get(source, name, payload) {
      const action = find(source, name);
      if (!action) throw new Error(`there is no action ${source}/${name}`);
      return action.specialize?.(payload) ?? action;
    },
    all: () => actions,
  };
}

/** The actions of a module, and the function that fills in their payloads for rules. */
function addFill(actions: Ground['modules'][number]['actions'], ground: Ground): readonly Action[] {
  const fill = actions?.fill?.(ground);
  return (actions?.all ?? []).map((action) => (fill ? { ...action, fill } : action));
}

/** The actions of all modules of a server. */
export const getActionRegistry = memoizePerServer((ground: Ground): ActionRegistry =>
  createActionRegistry(ground.modules.flatMap(({ actions }) => addFill(actions, ground))),
);
