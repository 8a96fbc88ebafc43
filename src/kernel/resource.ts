import type { Caller } from './caller.ts';
import type { Db } from './database.ts';
import type { ResourceKind } from './ids.ts';

/** A found item, and the brain whose members may see it; null when it belongs to no brain. */
export type ItemLocation = { id: string; brainId: string | null };

/** How the kernel finds items of one kind. */
export type Resource = {
  kind: ResourceKind;
  /** The name of the item in messages. */
  noun: string;
  /**
   * Those of `ids` that exist in the workspace and that this caller may see, before the access rules of the brain
   * apply.
   */
  locate(db: Db, ids: readonly string[], caller: Caller): Promise<ItemLocation[]>;
};

/** Declares how items of a kind are found. */
export function defineResource(resource: Resource): Resource {
  return resource;
}
