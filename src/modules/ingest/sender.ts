// Where a sender may store items, and in whose name.
import type { Caller } from '#kernel/caller';
import type { IncomingMemory } from '#modules/memory';
import type { ReadyConnector } from './store/connectors.ts';

export type Sender = {
  /** The platform of its items: the first level of their sources. */
  platform: string;
  /** The only brains that it stores in; null: all that the caller may write to. */
  allowedBrainIds: readonly string[] | null;
  /** The person in whose name it stores; null: in nobody's name. */
  storedBy: IncomingMemory['storedBy'];
};

/**
 * The sender of a call: a connector of this module, or for null the caller itself. A shared connector stores in
 * nobody's name.
 */
export function createSender({ personId, label }: Caller, connector: ReadyConnector | null): Sender {
  if (!connector) return { platform: 'api', allowedBrainIds: null, storedBy: { personId, label } };
  const { source, kind, config, person_id, person_name } = connector;
  return {
    platform: source,
    allowedBrainIds: config.allowed_brain_ids,
    storedBy: kind === 'personal' ? { personId: person_id, label: person_name } : null,
  };
}
